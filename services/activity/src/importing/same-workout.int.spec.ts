import { casesOf } from '@caravan/contracts/testing/full';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { movementCorrected, movementLogged } from '@caravan/contracts/events/activity.events';
import { type LogAnswer, logAnswerSchema, type OwnLog, ownLogSchema } from '@caravan/contracts/http/movement';
import { areSameWorkout } from '@caravan/contracts/domain/movement/same-workout';
import { eventually } from '@caravan/event-store/testing/eventually';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActivityUnderTest, type Joining, startActivity } from '../testing/activity-under-test.ts';
import { startImports, type Workout, workoutOf } from '../testing/imports-under-test.ts';

let activity: ActivityUnderTest;
let integrations: Awaited<ReturnType<typeof startImports>>;
let listener: Listener;
let maya: Joining;
let api: ApiClient;
beforeAll(async () => {
  activity = await startActivity();
  integrations = await startImports(activity);
  listener = await listenTo('activity', activity.env);
});
afterAll(async () => {
  await listener.close();
  await integrations.close();
  await activity.close();
});
beforeEach(async () => {
  maya = await activity.join();
  api = await activity.as(maya);
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const startedAt = minutesAgo(90);
const walk = { activityType: 'Walking', durationMinutes: 30, startedAt };
const log = async (body: object = {}, client = api) =>
  logAnswerSchema.parse((await client.post<LogAnswer>('/api/log', { ...walk, ...body })).body);
const importedFact = (changes: Partial<Workout> = {}) => {
  const workout = workoutOf(maya, { startedAt, importedAt: new Date().toISOString(), ...changes });
  return integrations
    .publishImported(maya.orgId, workout)
    .then((header) => ({ logId: workout.logId, header, workout }));
};
const logsOf = async (header: Record<string, string> = {}, client = api) =>
  (await client.get<OwnLog[]>('/api/logs?limit=50', header)).body.map((one) => ownLogSchema.parse(one));
const milesOf = (logs: readonly OwnLog[]) => logs.reduce((sum, { distanceMiles }) => sum + distanceMiles, 0);
const totalOf = async ({ orgId, userId }: Joining) => {
  const sql = 'select centimiles::int from member_miles where org_id = $1 and user_id = $2';
  return (await activity.rows<{ centimiles: number }>(orgId, sql, userId))[0]?.centimiles ?? 0;
};

describe('[D25] the same walk of the timer and of a platform', () => {
  test.each([{ source: 'timer' }, { source: 'manual' }])('counts once when the $source log comes first', async (by) => {
    const answer = await log(by);
    const { logId, header } = await importedFact();
    const logs = await logsOf(header);
    expect([milesOf(logs), await totalOf(maya)]).toEqual([3, 300]);
    expect(logs.find(({ id }) => id === logId)).toMatchObject({
      isCounted: false,
      distanceMiles: 0,
      sameAs: { id: answer.id, source: by.source, activityType: 'Walking', startedAt },
    });
  });

  test('counts once when a platform that shows it to its owner alone comes first: the log takes its place', async () => {
    const { logId, header } = await importedFact();
    await logsOf(header);
    expect(await log({ source: 'timer' })).toMatchObject({ milesEarned: 3 });
    const logs = await logsOf();
    expect(logs.map(({ id, distanceMiles }) => [id === logId, distanceMiles]).toSorted()).toEqual([
      [false, 3],
      [true, 0],
    ]);
  });

  test('counts once when a platform that colleagues may see comes first, and the log’s answer names it', async () => {
    const { logId, header } = await importedFact({ source: 'fitbit', audience: 'organisation' });
    await logsOf(header);
    const answer = await log({ source: 'timer', bonusChallengeId: randomUUID() });
    expect(answer).toMatchObject({
      milesEarned: 0,
      totalMiles: 3,
      bonusApplied: false,
      bonusReason: 'bonus/same-workout',
      sameAs: { id: logId, source: 'fitbit', activityType: 'Running', startedAt },
    });
    await eventually(() => {
      const facts = listener.heard.filter(({ data }) => (data as { logId: string }).logId === answer.id);
      const [fact] = facts.map(({ data }) => movementLogged.data.parse(data));
      expect(fact).toMatchObject({ centimiles: 0, notCounted: { sameAs: { logId, source: 'fitbit' } } });
    });
  });

  test('counts by the timer again once the platform’s log is removed, retracted or corrected to another time', async () => {
    const ends: readonly ((one: Awaited<ReturnType<typeof importedFact>>) => Promise<object>)[] = [
      ({ logId }) => api.delete(`/api/logs/${logId}`).then(() => ({})),
      ({ logId }) => integrations.publishRetracted(maya.orgId, { logId, userId: maya.userId }),
      ({ workout }) =>
        integrations.publishImported(maya.orgId, { ...workout, revision: 2, startedAt: minutesAgo(600) }),
    ];
    for (const end of ends) {
      maya = await activity.join();
      api = await activity.as(maya);
      const platform = await importedFact({ source: 'fitbit', audience: 'organisation' });
      await logsOf(platform.header);
      const { id } = await log({ source: 'timer' });
      const header = (await end(platform)) as Record<string, string>;
      const own = (await logsOf(header)).find((one) => one.id === id);
      expect(own).toMatchObject({ isCounted: true, distanceMiles: 3, sameAs: null });
    }
  });

  test('counts for the timer and by hand once, and for each of two walks where they do not overlap', async () => {
    await log({ source: 'timer' });
    expect(await log({ activityType: 'Hiking' })).toMatchObject({ milesEarned: 0, sameAs: { source: 'timer' } });
    expect(await log({ startedAt: minutesAgo(200) })).toMatchObject({ milesEarned: 3 });
    expect(await log({ startedAt })).toMatchObject({ milesEarned: 0 });
    expect(await totalOf(maya)).toBe(600);
  });
});

describe('[D25] the member overrides', () => {
  test('what was taken for the same workout counts too, and once again when the word is taken back', async () => {
    const first = await log({ source: 'timer' });
    const { id } = await log();
    const count = (counts: boolean) => api.patch<OwnLog>(`/api/logs/${id}`, { counts });
    expect((await count(true)).body).toMatchObject({ isCounted: true, countsByWord: true, distanceMiles: 3 });
    expect(await totalOf(maya)).toBe(600);
    expect((await count(false)).body).toMatchObject({
      isCounted: false,
      countsByWord: null,
      distanceMiles: 0,
      sameAs: { id: first.id },
    });
    expect(await totalOf(maya)).toBe(300);
    await eventually(() => {
      const words = listener.heard
        .filter(({ type, data }) => type === movementCorrected.type && (data as { logId: string }).logId === id)
        .map(({ data }) => movementCorrected.data.parse(data).countsByWord);
      expect(words).toContain(true);
      expect(words.at(-1)).toBeUndefined();
    });
  });

  test('a log that is said not to count lets the other one count', async () => {
    const first = await log({ source: 'timer' });
    const second = await log();
    expect((await api.patch(`/api/logs/${first.id}`, { counts: false })).body).toMatchObject({
      isCounted: false,
      distanceMiles: 0,
      sameAs: null,
    });
    expect((await logsOf()).find(({ id }) => id === second.id)).toMatchObject({ isCounted: true, distanceMiles: 3 });
  });

  test('an import that its owner lets count beside counts beside', async () => {
    await log({ source: 'timer' });
    const { header } = await importedFact({ countsBeside: true });
    expect(milesOf(await logsOf(header))).toBe(6);
  });
});

const anyStep = fc.oneof(
  fc.record({
    is: fc.constant('log' as const),
    source: fc.constantFrom('timer', 'manual'),
    ago: fc.constantFrom(90, 95, 140),
    minutes: fc.constantFrom(20, 30, 44),
  }),
  fc.record({
    is: fc.constant('import' as const),
    source: fc.constantFrom('strava' as const, 'fitbit' as const),
    ago: fc.constantFrom(90, 95, 140),
    minutes: fc.constantFrom(20, 30, 44),
    isScored: fc.boolean(),
  }),
  fc.record({ is: fc.constant('remove' as const), nth: fc.nat(5) }),
  fc.record({ is: fc.constant('retract' as const), nth: fc.nat(5) }),
  fc.record({ is: fc.constant('correct' as const), nth: fc.nat(5), ago: fc.constantFrom(91, 150) }),
  fc.record({ is: fc.constant('count' as const), nth: fc.nat(5), counts: fc.boolean() }),
);

test('[D25 I7] after any logs, imports, corrections, removals, retractions and words each workout counts once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 7 }), async (steps) => {
      maya = await activity.join();
      api = await activity.as(maya);
      const workouts: Workout[] = [];
      let header: Record<string, string> = {};
      for (const step of steps) {
        const logs = await logsOf(header);
        const own = logs.filter(({ isImported }) => !isImported);
        if (step.is === 'log')
          await log({ source: step.source, durationMinutes: step.minutes, startedAt: minutesAgo(step.ago) });
        else if (step.is === 'import') {
          const { ago, minutes, isScored, source } = step;
          const audience = source === 'strava' ? 'owner' : 'organisation';
          const one = { source, audience, isScored, startedAt: minutesAgo(ago), durationMinutes: minutes } as const;
          const { workout, header: told } = await importedFact(one);
          workouts.push(workout);
          header = told;
        } else if (step.is === 'retract') {
          const workout = workouts[step.nth % Math.max(1, workouts.length)];
          if (workout) header = await integrations.publishRetracted(maya.orgId, workout);
        } else {
          const target = (step.is === 'remove' ? logs : own)[step.nth % Math.max(1, own.length)];
          if (!target) continue;
          if (step.is === 'remove') await api.delete(`/api/logs/${target.id}`);
          else if (step.is === 'count') await api.patch(`/api/logs/${target.id}`, { counts: step.counts });
          else await api.patch(`/api/logs/${target.id}`, { startedAt: minutesAgo(step.ago) });
        }
        expectEachCountsOnce(await logsOf(header));
      }
      const logs = await logsOf(header);
      expect(await totalOf(maya)).toBe(Math.round(milesOf(logs) * 100));
    }),
    { numRuns: casesOf({ core: 12, full: 40 }) },
  );
}, 120_000);

function expectEachCountsOnce(logs: readonly OwnLog[]) {
  const spanOf = ({ source, startedAt: at, durationMinutes }: OwnLog) => ({
    source,
    durationMinutes,
    startedAt: new Date(at),
  });
  const ruled = logs.filter(({ isCounted, countsByWord }) => isCounted && countsByWord === null);
  for (const one of ruled) expect(ruled.filter((other) => areSameWorkout(spanOf(one), spanOf(other)))).toEqual([]);
  for (const { isCounted, sameAs, distanceMiles, countsByWord } of logs) {
    if (isCounted) continue;
    expect(distanceMiles).toBe(0);
    if (countsByWord === null) expect(ruled.map(({ id }) => id)).toContain(sameAs?.id);
  }
}
