import { eventually } from '@caravan/event-store/testing/eventually';
import { journeySchema, type Journey } from '@caravan/contracts/http/journeys';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badgesStream } from '../badges/badges-stream.ts';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import {
  minPosition,
  movementCorrected,
  movementLogged,
  movementRemoved,
  startScoring,
} from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { journeyStream } from './journey-stream.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function twoTeams() {
  const org = await scoring.foundOrganisation(['Maya', 'Omar', 'Lena']);
  const [maya, omar, lena] = org.members;
  if (!maya || !omar || !lena) throw new Error('three members');
  await eventually(async () => {
    const known = `select from journeys join members using (org_id) where org_id = $1`;
    expect(await scoring.rows(org.orgId, known)).toHaveLength(3);
  });
  return { ...org, maya, omar, lena };
}

async function journeyOf(member: TestMember, header: Record<string, string> = {}): Promise<Journey> {
  return journeySchema.parse((await (await scoring.as(member)).get('/api/journey', header)).body);
}

test('[D8 D33] a log that is taken back moves the team back; the arrival stays and is not made twice', async () => {
  const { maya, orgId } = await twoTeams();
  const small = movementLogged(maya, { centimiles: 300 });
  const large = movementLogged(maya, { centimiles: 400 });
  await scoring.activity.publish(small, large);
  await eventually(async () => expect((await journeyOf(maya)).reached).toHaveLength(1));
  const { reached } = await journeyOf(maya);
  const gone = await scoring.activity.publish(movementRemoved(large));
  await scoring.activity.redeliver(...gone);
  const after = await journeyOf(maya, minPosition('activity', gone));
  expect(after.teams[0]).toMatchObject({
    name: 'Thunder',
    miles: 3,
    lastCheckpoint: 'Newcastle upon Tyne',
    milesToNext: 12,
  });
  const again = await scoring.activity.publish(movementLogged(maya, { centimiles: 500 }));
  expect((await journeyOf(maya, minPosition('activity', again))).reached).toEqual(reached);
  const arrivals = `select from es.events where org_id = $1 and type = 'CheckpointReached'`;
  expect(await scoring.rows(orgId, arrivals)).toHaveLength(1);
});

const startsOn = addDays(localDateOf(new Date(), 'UTC'), -20);
const anything = fc.record({
  who: fc.nat({ max: 2 }),
  miles: fc.integer({ min: 1, max: 30 }),
  daysAgo: fc.integer({ min: 0, max: 30 }),
  then: fc.constantFrom('kept', 'removed', 'corrected'),
  correctedMiles: fc.integer({ min: 1, max: 30 }),
});

test('[D8 D33 I9] positions are the sums of what is left since the start, whatever was corrected, removed or told twice', async () => {
  const histories = fc.sample(fc.array(anything, { minLength: 5, maxLength: 25 }), { numRuns: 8, seed: 33 });
  for (const history of histories) {
    const { members, orgId, maya, teams } = await twoTeams();
    const admin = await scoring.as(maya, { role: 'admin' });
    expect((await admin.put('/api/journey', { routeId: 'camino-frances', startsOn })).status).toBe(200);
    const expected = new Map(teams.map(({ teamId }) => [teamId, 0]));
    const facts = history.flatMap(({ who, miles, daysAgo, then, correctedMiles }) => {
      const member = members[who] ?? maya;
      const startedAt = new Date(Date.now() - daysAgo * 86_400_000);
      const logged = movementLogged(member, { centimiles: miles * 100, startedAt });
      const left = { kept: miles, removed: 0, corrected: correctedMiles }[then];
      if (logged.data.loggedOn >= startsOn) expected.set(member.teamId, (expected.get(member.teamId) ?? 0) + left);
      if (then === 'kept') return [logged];
      return [
        logged,
        then === 'removed'
          ? movementRemoved(logged)
          : movementCorrected(logged, { durationMinutes: correctedMiles * 10 }),
      ];
    });
    const said = await scoring.activity.publish(...facts);
    await scoring.activity.redeliver(...said, ...said.toReversed());
    await eventually(async () => {
      const { teams: found } = await journeyOf(maya);
      expect(new Map(found.map(({ id, miles }) => [id, miles]))).toEqual(expected);
      expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
    });
  }
});

test('[D33] rebuilding ledger, journey and badges brings the same positions, arrivals and dates', async () => {
  const { maya, omar, orgId } = await twoTeams();
  await scoring.log(maya, { centimiles: 900 }, { centimiles: 800 });
  await scoring.log(omar, { centimiles: 600 });
  const rows = () =>
    Promise.all([
      scoring.rows(orgId, 'select * from team_days where org_id = $1 order by team_id, credited_on'),
      scoring.rows(orgId, 'select * from team_contributors where org_id = $1 order by user_id'),
      scoring.rows(orgId, 'select * from journeys where org_id = $1'),
      scoring.rows(orgId, 'select * from journey_arrivals where org_id = $1 order by team_id, checkpoint'),
      scoring.rows(orgId, 'select * from member_badges where org_id = $1 order by user_id, badge_id'),
    ]);
  await eventually(async () => {
    const [days, , , arrivals, badges] = await rows();
    expect([days.length, arrivals.length, badges.length]).toEqual([2, 3, 7]);
    expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
  });
  const before = await rows();
  const kinds = [ledgerOfAll, journeyStream, badgesStream];
  for (const projection of kinds.flatMap(({ projections }) => [...projections]))
    await rebuild({ ...rebuildable, databaseUrl: scoring.ownerUrl, projection });
  await eventually(async () => expect(await rows()).toEqual(before));
});
