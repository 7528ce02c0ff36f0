import { randomUUID } from '@caravan/contracts/testing/seeded';
import { recapsEffectSchema } from '@caravan/contracts/http/analytics';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { eventually } from '@caravan/event-store/testing/eventually';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { founded, teamFormed } from '../testing/ballots-under-test.ts';
import { memberJoined, memberOf, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest } from '../testing/social-under-test.ts';
import { creditedFact } from '../testing/told-weeks.ts';
import { RecapsService } from './recaps.service.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

const path = '/api/analytics/recaps';
const running = weekStartOf(localDateOf(new Date(), 'UTC'));
const told = addDays(running, -14);
const after = addDays(running, -7);

/** All moved in the week told of; of who read the recap, the first ones, `stayed` moved in the next week. */
async function liveThrough({
  people,
  readers,
  hasStayed: stayed,
}: {
  people: number;
  readers: number;
  hasStayed: (nth: number) => boolean;
}) {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const members = Array.from({ length: people }, (_, nth) => memberOf(orgId, teamId, `P${nth}`));
  const began = { ...founded, data: { ...founded.data, foundedAt: `${told}T08:00:00.000Z`, timeZone: 'UTC' } };
  const header = await social.tell(orgId, began, teamFormed(teamId, 'Thunder'), ...members.map(memberJoined));
  const said = await social.scoring.publish(
    ...members.map((member) => creditedFact(member, { centimiles: 300, on: told })),
    ...members.filter((_, nth) => stayed(nth)).map((member) => creditedFact(member, { centimiles: 300, on: after })),
  );
  await social.scoring.redeliver(...said);
  const count = async (table: string) => (await social.rows(orgId, `select from ${table} where org_id = $1`)).length;
  await eventually(async () =>
    expect([await count('recap_member_weeks'), await count('members'), await count('organisations')]).toEqual([
      said.length,
      people,
      1,
    ]),
  );
  await social.app.get(RecapsService).buildDue(new Date(`${after}T06:00:00.000Z`));
  const [recap] = await social.rows<{ id: string }>(
    orgId,
    'select recap_id as id from weekly_recaps where org_id = $1 order by week_starts_on desc',
  );
  for (const member of members.slice(0, readers))
    await (await social.as(member)).post(`/api/recaps/${recap?.id}/engagement`, {}, header);
  await withSystem(social.pool, (tx) =>
    tx.query('update recap_engagement set viewed_at = $2 where org_id = $1', [orgId, `${after}T09:00:00.000Z`]),
  );
  const [someone] = members;
  if (!someone) throw new Error('a member');
  const admin = await social.as(someone, { role: 'admin' });
  return { someone, effect: async () => recapsEffectSchema.strict().parse((await admin.get(path, header)).body) };
}

test('[3.18 D28] readers of a recap stand beside the others by how many moved in the week that followed', async () => {
  const { effect, someone } = await liveThrough({ people: 24, readers: 12, hasStayed: (nth) => nth < 7 || nth >= 18 });
  expect(await effect()).toEqual({
    recaps: 1,
    read: { atLeast: 60, atMost: 60, times: 10 },
    others: { atLeast: 50, atMost: 50, times: 10 },
  });
  expect((await (await social.as(someone)).get(path)).status).toBe(403);
});

test('[3.18 D28] where a few read it, nothing is told of them', async () => {
  const { effect } = await liveThrough({ people: 14, readers: 4, hasStayed: (nth) => nth % 2 === 0 });
  expect(await effect()).toEqual({ recaps: 1, read: null, others: { atLeast: 50, atMost: 50, times: 10 } });
});
