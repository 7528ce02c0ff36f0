import { eventually } from '@caravan/event-store/testing/eventually';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rebuildable } from '../app.module.ts';
import { bonusesOf, isClaimed, entriesOf, foundWithChallenges } from '../testing/challenges-under-test.ts';
import {
  minPosition,
  movementCorrected,
  movementLogged,
  movementRemoved,
  startScoring,
} from '../testing/scoring-under-test.ts';
import { refuseRows } from '../testing/refused-rows.ts';
import type { ScoringUnderTest } from '../testing/scoring-under-test.ts';
import { weeklyClaimStream } from './claims.projection.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const foundOrganisation = (names?: string[], timeZone?: string) => foundWithChallenges(scoring, names, timeZone);

const reviewsDone = (orgId: string) =>
  eventually(async () => {
    expect(await scoring.rows(orgId, 'select from pending_claim_reviews where org_id = $1')).toEqual([]);
  });

describe('a claimed bonus', () => {
  test('[D8 D14] is taken back when its condition does not hold any more, and can be claimed again', async () => {
    const { orgId, maya, api, named } = await foundOrganisation();
    const { id } = named('Walk 5 miles');
    const walk = movementLogged(maya, { centimiles: 500 });
    const run = movementLogged(maya, { centimiles: 100 });
    const said = await scoring.activity.publish(walk, run);
    expect(await isClaimed(api, id, minPosition('activity', said))).toBe(true);
    // Still 5 miles without the run: the bonus stays.
    await scoring.activity.publish(movementRemoved(run));
    await eventually(async () => expect(await entriesOf(scoring, maya)).toHaveLength(4));
    await reviewsDone(orgId);
    expect(await bonusesOf(scoring, maya)).toEqual([100]);
    const corrected = movementCorrected(walk, { durationMinutes: 49 });
    await scoring.activity.redeliver(...(await scoring.activity.publish(corrected)));
    await eventually(async () => expect(await bonusesOf(scoring, maya)).toEqual([100, -100]));
    expect(await isClaimed(api, id)).toBe(false);
    const again = await scoring.log(maya, { centimiles: 10 });
    expect(await isClaimed(api, id, minPosition('activity', again))).toBe(true);
    expect(await bonusesOf(scoring, maya)).toEqual([100, -100, 100]);
    expect(await scoring.rows(orgId, 'select centimiles from member_totals where org_id = $1')).toEqual([
      { centimiles: 600 },
    ]);
  });

  test("[D8 D14] of a team's challenge is taken back from each member when one takes miles back", async () => {
    const { members, maya, api, named, orgId } = await foundOrganisation(['Maya', 'Omar', 'Lena']);
    const lena = members[2];
    if (!lena) throw new Error('Lena is in the team of Maya');
    const { id } = named('Team reaches 50 miles');
    const ride = movementLogged(maya, { centimiles: 4_900 });
    await scoring.activity.publish(ride);
    const lenas = await scoring.log(lena, { centimiles: 100 });
    await eventually(async () => expect(await entriesOf(scoring, maya)).toHaveLength(1));
    expect(await isClaimed(await scoring.as(lena), id, minPosition('activity', lenas))).toBe(true);
    expect(await isClaimed(api, id)).toBe(true);
    await scoring.activity.publish(movementRemoved(ride));
    await eventually(async () => {
      expect([await bonusesOf(scoring, maya), await bonusesOf(scoring, lena)]).toEqual([
        [200, -200],
        [200, -200],
      ]);
    });
    await reviewsDone(orgId);
    expect(await isClaimed(api, id)).toBe(false);
  });

  test('[D8 D14] given while the log that it stands on is taken back is gone in the end', async () => {
    const { maya, api, named, orgId } = await foundOrganisation();
    const { id } = named('Walk 5 miles');
    for (let round = 0; round < 5; round += 1) {
      const walk = movementLogged(maya, { centimiles: 500 });
      const said = await scoring.activity.publish(walk);
      await api.get('/api/dashboard/stats', minPosition('activity', said));
      const removal = scoring.activity.publish(movementRemoved(walk));
      await Promise.all(Array.from({ length: 10 }, () => isClaimed(api, id)));
      await api.get('/api/dashboard/stats', minPosition('activity', await removal));
      await reviewsDone(orgId);
      expect((await bonusesOf(scoring, maya)).reduce((sum, centimiles) => sum + centimiles, 0)).toBe(0);
    }
  });
});

test('[D8] a claim that cannot be reviewed stops no other one, is counted, and is reviewed again', async () => {
  const broken = await foundOrganisation();
  const endRefusal = await refuseRows(scoring.ownerUrl, {
    table: 'pending_claim_reviews',
    operation: 'delete',
    orgId: broken.orgId,
  });
  try {
    // More than one look takes, and before every other.
    await scoring.asSystem(
      `insert into pending_claim_reviews (org_id, entry_id, user_id, team_id, week_starts_on)
       select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, $3, '2026-01-05'
       from generate_series(1, 250) n`,
      [broken.orgId, broken.maya.userId, broken.maya.teamId],
    );
    const { orgId, maya, api, named } = await foundOrganisation();
    const walk = movementLogged(maya, { centimiles: 500 });
    expect(
      await isClaimed(api, named('Walk 5 miles').id, minPosition('activity', await scoring.activity.publish(walk))),
    ).toBe(true);
    await scoring.activity.publish(movementRemoved(walk));
    await eventually(async () => expect(await bonusesOf(scoring, maya)).toEqual([100, -100]));
    await reviewsDone(orgId);
    expect((await api.get<string>('/metrics')).body).toMatch(
      /caravan_sweep_failures_total\{sweep="scoring.pending-claim-reviews"[^}]*\} [1-9]/,
    );
  } finally {
    await endRefusal();
  }
  await reviewsDone(broken.orgId);
});

test('[D9 I1] rebuilding the ledger and the claims from the log changes nothing of bonuses', async () => {
  const { maya, api, named, orgId } = await foundOrganisation();
  const walk = movementLogged(maya, { centimiles: 600 });
  const said = await scoring.activity.publish(walk);
  expect(await isClaimed(api, named('Walk 5 miles').id, minPosition('activity', said))).toBe(true);
  const publishedFacts = () =>
    Promise.all(
      ['ledger_entries', 'member_totals', 'member_weeks', 'weekly_claims'].map((table) =>
        scoring.rows(orgId, `select * from ${table} t where org_id = $1 order by t::text`),
      ),
    );
  const before = await publishedFacts();
  expect(before.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
  const databaseUrl = scoring.ownerUrl;
  for (const projection of weeklyClaimStream.projections) await rebuild({ ...rebuildable, databaseUrl, projection });
  expect(await publishedFacts()).toEqual(before);
});
