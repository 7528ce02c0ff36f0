import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { startImports, type Workout, workoutOf } from '../testing/imports-under-test.ts';
import { ImportsService } from './imports.service.ts';

let activity: ActivityUnderTest;
beforeAll(async () => {
  activity = await startActivity();
});
afterAll(() => activity.close());

/** A month of somebody who never rests, and one workout that has a name of its own. */
const monthOf = (member: Joining): Workout[] =>
  Array.from({ length: 150 }, (_, nth) =>
    workoutOf(member, {
      activityType: nth === 0 ? 'E-Bike Ride' : 'Running',
      startedAt: new Date(Date.parse('2026-10-17T06:00:00.000Z') + nth * 17_000_000).toISOString(),
      durationMinutes: 1 + nth,
    }),
  );
const centimilesOf = (workouts: readonly Workout[]) =>
  workouts.reduce((sum, { durationMinutes, isScored }) => sum + (isScored ? durationMinutes * 10 : 0), 0);

let position = 0;
const eventOf = (orgId: string, data: Workout) => ({
  id: randomUUID(),
  type: 'WorkoutImported',
  version: 1,
  orgId,
  key: data.userId,
  position: (position += 1),
  positions: { integrations: position },
  epochs: {},
  occurredAt: new Date().toISOString(),
  actorId: null,
  data,
});

/** How many statements a batch takes, begin and commit beside. */
async function statementsFor(orgId: string, workouts: readonly Workout[], areRetracted = false): Promise<string[]> {
  const statements: string[] = [];
  const imports = activity.app.get(ImportsService);
  await withSystem(activity.pool, async (tx) => {
    const counting: Tx = {
      query: (text, values) => {
        statements.push(text);
        return tx.query(text, values);
      },
    };
    const all = workouts.map((data) => {
      const { logId, userId, revision } = data;
      const event = eventOf(orgId, data);
      if (!areRetracted) return { is: 'logged' as const, logId, revision, event };
      const retracted = { logId, userId, why: 'disconnected' as const, retractedAt: new Date().toISOString() };
      return { is: 'removed' as const, logId, event: { ...event, data: retracted } };
    });
    await imports.enter(counting, all);
  });
  return statements;
}

const figuresOf = ({ orgId, userId }: Joining) =>
  activity.rows<{ logs: number; centimiles: number; total: number; facts: number }>(
    orgId,
    `select count(*)::int as logs, coalesce(sum(centimiles), 0)::int as centimiles,
       (select centimiles::int from member_miles where org_id = $1 and user_id = $2) as total
     from movement_logs where org_id = $1 and user_id = $2`,
    userId,
  );

describe('a hundred and fifty workouts of one member', () => {
  test('take as many statements as two: imported, corrected and retracted, and the rows are exact', async () => {
    const maya = await activity.join();
    const omar = await activity.join({ orgId: maya.orgId });
    const many = monthOf(maya);
    const few = monthOf(omar).slice(0, 2);
    const publishRescored = (workouts: readonly Workout[]) =>
      workouts.map((workout) => ({ ...workout, revision: 2, isScored: false }));
    const both = async (change: (workouts: readonly Workout[]) => readonly Workout[], areRetracted = false) => {
      const some = await statementsFor(maya.orgId, change(few), areRetracted);
      const all = await statementsFor(maya.orgId, change(many), areRetracted);
      expect(all).toEqual(some);
      return all.length;
    };
    expect(await both((workouts) => workouts)).toBeLessThanOrEqual(5);
    expect(await figuresOf(maya)).toEqual([{ logs: 150, centimiles: centimilesOf(many), total: centimilesOf(many) }]);
    expect(await both(publishRescored)).toBeLessThanOrEqual(8);
    expect(await figuresOf(maya)).toEqual([{ logs: 150, centimiles: 0, total: 0 }]);
    // Again: nothing is written.
    expect(await both(publishRescored)).toBeLessThanOrEqual(4);
    expect(await both((workouts) => workouts, true)).toBeLessThanOrEqual(8);
    expect(await figuresOf(maya)).toEqual([{ logs: 0, centimiles: 0, total: 0 }]);
  });

  test('[F09] come through Kafka twice and leave each log once, with those of others between them', async () => {
    const maya = await activity.join();
    const omar = await activity.join();
    const integrations = await startImports(activity);
    const hers = monthOf(maya);
    const his = monthOf(omar);
    await Promise.all([
      integrations.publishImported(maya.orgId, ...hers),
      integrations.publishImported(omar.orgId, ...his),
    ]);
    for (const [member, workouts] of [
      [maya, hers],
      [omar, his],
    ] as const)
      await eventually(async () =>
        expect(await figuresOf(member)).toEqual([
          { logs: 150, centimiles: centimilesOf(workouts), total: centimilesOf(workouts) },
        ]),
      );
    await integrations.close();
  });
});
