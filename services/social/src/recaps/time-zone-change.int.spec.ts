import { randomUUID } from '@caravan/contracts/testing/seeded';
import { onlyZone, withTimeZone } from '@caravan/contracts/domain/time/organisation-zone';
import { eventually } from '@caravan/event-store/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { founded, teamFormed } from '../testing/ballots-under-test.ts';
import { memberJoined, memberOf, movementLogged, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest } from '../testing/social-under-test.ts';
import { signedIn } from '../testing/told-weeks.ts';
import { RecapsService } from './recaps.service.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

/** An organisation that changes its time zone on Monday, 23 November 2026. */
async function changing(from: string, to: string) {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const maya = memberOf(orgId, teamId, 'Maya');
  const changedAt = '2026-11-18T12:00:00.000Z';
  const zones = withTimeZone(onlyZone(from), to, new Date(changedAt));
  expect(zones.changes).toEqual([{ from: '2026-11-23', timeZone: to }]);
  const began = { ...founded, data: { ...founded.data, timeZone: from } };
  await social.tell(orgId, began, teamFormed(teamId, 'Thunder'), memberJoined(maya), {
    type: 'OrganisationTimeZoneChanged',
    data: { zones, changedAt },
  });
  return { orgId, maya };
}

test.each([
  {
    from: 'Europe/Berlin',
    to: 'America/Los_Angeles',
    boundary: '2026-11-23T08:00:00.000Z',
    due: '2026-11-23T14:00:00.000Z',
    inWeekBefore: 4,
  },
  {
    from: 'America/Los_Angeles',
    to: 'Europe/Berlin',
    boundary: '2026-11-22T23:00:00.000Z',
    due: '2026-11-23T05:00:00.000Z',
    inWeekBefore: 3,
  },
])(
  '[D10 D28] around a change from $from to $to the recaps count every log and sign-in once',
  async ({ from, to, boundary, due, inWeekBefore }) => {
    const { orgId, maya } = await changing(from, to);
    await eventually(async () => {
      const sql = 'select from organisations where org_id = $1 and jsonb_array_length(time_zone_changes) = 1';
      expect(await social.rows(orgId, sql)).toHaveLength(1);
    });
    const minutes = (away: number) => new Date(Date.parse(boundary) + away * 60_000);
    // Monday of the week before in Berlin, Sunday in Los Angeles.
    const moments = [new Date('2026-11-16T00:00:00.000Z'), ...[-600, -30, -1, 0, 1, 600].map(minutes)];
    const logged = await social.activity.publish(...moments.map((loggedAt) => movementLogged(maya, { loggedAt })));
    const entered = await social.identity.publish(...moments.map((moment) => signedIn(maya, moment.toISOString())));
    await social.activity.redeliver(...logged.toReversed());
    await social.identity.redeliver(...entered.toReversed());
    const countByDay = (table: string, column: string) =>
      social.rows<{ count: number }>(
        orgId,
        `select coalesce(sum(${column}), 0)::int as count from ${table} where org_id = $1`,
      );
    await eventually(async () => {
      expect(await social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(moments.length);
      expect(await countByDay('recap_sign_ins', 'count')).toEqual([{ count: moments.length }]);
    });

    const recaps = social.app.get(RecapsService);
    const builtRecaps = () =>
      social.rows(
        orgId,
        `select r.week_starts_on::text as week, a.new_activities_before as logs, a.weekly_logins_before as sign_ins
       from weekly_recaps r join recap_analytics a on a.org_id = r.org_id and a.recap_id = r.recap_id
       where r.org_id = $1 order by 1`,
      );
    await recaps.buildDue(new Date(Date.parse(due) - 1));
    expect(await builtRecaps()).toEqual([]);
    await recaps.buildDue(new Date(due));
    await recaps.buildDue(new Date(due));
    const before = { week: '2026-11-16', logs: inWeekBefore, signIns: inWeekBefore };
    expect(await builtRecaps()).toEqual([before]);
    await recaps.buildDue(new Date(Date.parse(due) + 7 * 86_400_000));
    expect(await builtRecaps()).toEqual([before, { week: '2026-11-23', logs: 3, signIns: 3 }]);
  },
);
