import { eventually } from '@caravan/event-store/testing/eventually';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { milesCredited } from '@caravan/contracts/events/scoring.events';
import { listenTo } from '@caravan/messaging/testing/listener';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movementLogged, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const tables = ['ledger_entries', 'member_totals', 'member_weeks', 'streak_runs', 'credited_movements'];
const teamSums = `select team_id, sum(centimiles)::int as centimiles from (
  select team_id, centimiles from team_totals where org_id = $1
  union all select team_id, centimiles from pending_team_credits_of($1)) parts group by 1 order by 2`;

async function everything(orgId: string) {
  const found = await Promise.all(
    tables.map((table) => scoring.rows(orgId, `select * from ${table} where org_id = $1 order by ${table}::text`)),
  );
  return [...found, await scoring.rows(orgId, teamSums)];
}

const entriesOf = async (orgId: string) =>
  (await scoring.rows(orgId, 'select from ledger_entries where org_id = $1')).length;

describe('a logged movement', () => {
  test('[1.3 6.8 D2 D5] is credited to the member and to the team of that moment', async () => {
    const { orgId, members, teams } = await scoring.foundOrganisation(['Maya', 'Omar']);
    const [maya, omar] = members;
    if (!maya || !omar) throw new Error('two members');
    await scoring.log(maya, { centimiles: 300 }, { centimiles: 110 });
    await scoring.log(omar, { centimiles: 500 });
    await scoring.log({ ...omar, teamId: maya.teamId }, { centimiles: 70 });
    await eventually(async () => {
      expect(await scoring.rows(orgId, teamSums)).toEqual([
        { teamId: teams[0]?.teamId, centimiles: 480 },
        { teamId: teams[1]?.teamId, centimiles: 500 },
      ]);
    });
    expect(await scoring.rows(orgId, 'select centimiles from member_totals where org_id = $1 order by 1')).toEqual([
      { centimiles: 410 },
      { centimiles: 570 },
    ]);
  });

  test('[D5] delivered twice, and by two messages, changes nothing', async () => {
    const { orgId, members, said } = await scoring.foundOrganisation(['Maya', 'Omar', 'Lena']);
    const logs = members.flatMap((member) => [1, 2, 3].map((n) => movementLogged(member, { centimiles: 100 * n })));
    const first = await scoring.activity.publish(...logs);
    await eventually(async () => expect(await entriesOf(orgId)).toBe(9));
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
    });
    const before = await everything(orgId);
    await scoring.activity.redeliver(...first, ...first);
    await scoring.identity.redeliver(...said);
    // The same logs at new positions, as if they had been published by mistake, and one more to know when they are through.
    await scoring.activity.publish(...logs);
    const ends = await scoring.activity.publish(...members.map((member) => movementLogged(member, { centimiles: 7 })));
    await eventually(async () => expect(await entriesOf(orgId)).toBe(9 + ends.length));
    const sums = await scoring.rows(orgId, 'select centimiles, version from member_totals where org_id = $1');
    expect(sums).toEqual(Array(3).fill({ centimiles: 607, version: 4 }));
    expect((await everything(orgId))[3]).toEqual(before[3]);
    expect(
      await scoring.rows(orgId, 'select name, member_count as count from teams where org_id = $1 order by 1'),
    ).toEqual([
      { name: 'Blazers', count: 1 },
      { name: 'Thunder', count: 2 },
    ]);
  });

  test('[D10] of an organisation whose news is late waits for it, while others are credited', async () => {
    const stranger = { userId: randomUUID(), orgId: randomUUID(), teamId: randomUUID(), name: 'Early' };
    await scoring.log(stranger, { centimiles: 300 });
    const { members, orgId } = await scoring.foundOrganisation(['Maya']);
    const [maya] = members;
    if (!maya) throw new Error('a member');
    await scoring.log(maya, {});
    const about = { version: 1, orgId: stranger.orgId, key: stranger.orgId };
    await scoring.identity.publish({
      ...about,
      type: 'OrganisationFounded',
      data: { name: 'Late', timeZone: 'Asia/Tokyo', foundedAt: '2026-01-01T00:00:00.000Z' },
    });
    await eventually(async () => expect(await entriesOf(stranger.orgId)).toBe(1));
    await eventually(async () => expect(await entriesOf(orgId)).toBe(1));
  });

  test('[F10] that breaks its contract parks its member, nobody else', async () => {
    const { orgId, members } = await scoring.foundOrganisation(['Maya', 'Omar']);
    const [maya, omar] = members;
    if (!maya || !omar) throw new Error('two members');
    const broken = movementLogged(maya);
    await scoring.activity.publish({ ...broken, data: { ...broken.data, centimiles: -5 } });
    await scoring.log(maya, {});
    await scoring.log(omar, {}, {}, {});
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select user_id as id, version from member_totals where org_id = $1')).toEqual([
        { id: omar.userId, version: 3 },
      ]);
    });
    const parked = await scoring.pool.query(
      `select error_code from msg.parked where consumer_group = 'scoring.credit-miles' and key = $1 order by 1`,
      [maya.userId],
    );
    expect(parked.rows).toHaveLength(2);
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  const { members } = await scoring.foundOrganisation(['Maya']);
  for (const maya of members) await scoring.log(maya, {});
  await eventually(async () => {
    const { unguarded, leaking, proven } = await tenancyOf(scoring.pool, randomUUID());
    expect([unguarded, leaking]).toEqual([[], []]);
    expect(proven).toEqual(
      expect.arrayContaining([...tables, 'members', 'organisations', 'team_totals', 'team_weeks', 'teams']),
    );
  });
});

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const declared = declaredIn(resolve(import.meta.dirname, '../../prisma/schema.prisma'));
  expect(declared).toEqual(await migratedInto(scoring.pool));
});

test('[D9 D11] what leaves the service are absolute totals and the latest run, in the order of the entries', async () => {
  const listener = await listenTo('scoring', scoring.env);
  try {
    const { members } = await scoring.foundOrganisation(['Maya']);
    const [maya] = members;
    if (!maya) throw new Error('a member');
    const noon = (day: string) => ({ startedAt: new Date(`${day}T12:00:00.000Z`) });
    const days = ['2026-11-10', '2026-11-12', '2026-11-11', '2026-11-03'];
    const said = await scoring.log(
      maya,
      ...days.map((day, index) => ({ ...noon(day), centimiles: 100 * (index + 1) })),
    );
    const publishedCredits = () =>
      listener.heard.filter(({ key, type }) => key === maya.userId && type === 'MilesCredited');
    await eventually(async () => expect(publishedCredits()).toHaveLength(4));
    const facts = publishedCredits();
    expect(
      facts
        .map(({ data }) => milesCredited.data.parse(data))
        .map(({ totalCentimiles, latestRun }) => [totalCentimiles, latestRun]),
    ).toEqual([
      [100, { startedOn: '2026-11-10', endedOn: '2026-11-10' }],
      [300, { startedOn: '2026-11-12', endedOn: '2026-11-12' }],
      [600, { startedOn: '2026-11-10', endedOn: '2026-11-12' }],
      [1000, { startedOn: '2026-11-10', endedOn: '2026-11-12' }],
    ]);
    expect(facts.map(({ positions }) => positions.activity)).toEqual(said.map(({ position }) => position));
  } finally {
    await listener.close();
  }
});
