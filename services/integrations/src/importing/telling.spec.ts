import { describe, expect, test } from 'vitest';
import { at, saw, World } from '../testing/imports-world.ts';
import { settleImports } from './import.ts';
import { type Present, tellingOf, untold } from './telling.ts';

const onStrava = saw('strava', 1, {}, 's');
const onFitbit = saw('fitbit', 2, { startedAt: at(-55) }, 'f');
const present: Present = {
  id: 'import',
  provider: 'fitbit',
  source: 'fitbit',
  audience: 'organisation',
  isScored: true,
  creditableAt: at(2),
  override: null,
  isRemoved: false,
  activityType: 'Running',
  startedAt: at(-60),
  durationMinutes: 30,
  meters: 5_000,
  heartRate: 140,
  calories: 300,
  why: null,
};
const content = {
  source: 'fitbit',
  activityType: 'Running',
  startedAt: at(-60).toISOString(),
  durationMinutes: 30,
  audience: 'organisation',
  isScored: true,
  meters: 5_000,
  heartRate: 140,
  calories: 300,
};
const counted = { state: 'counted', sameAs: null } as const;
const duplicate = { state: 'duplicate', sameAs: 'other' } as const;
const told = { logId: 'log', revision: 4, content: 'another content' };
const newLogId = () => 'new-log';

describe('what is told of an import that counts', () => {
  test('[F08] is all of it, as the first revision of a new log', () => {
    expect(tellingOf({ present, verdict: counted }, untold, newLogId)).toEqual({
      is: 'imported',
      content,
      creditableAt: at(2),
      told: { logId: 'new-log', revision: 1, content: JSON.stringify(content) },
    });
  });

  test('[F09] is the next revision of the same log where something changed, and nothing where nothing did', () => {
    const text = JSON.stringify(content);
    expect(tellingOf({ present, verdict: counted }, told, newLogId)).toMatchObject({
      is: 'imported',
      told: { logId: 'log', revision: 5, content: text },
    });
    expect(tellingOf({ present, verdict: counted }, { ...told, content: text }, newLogId)).toBeUndefined();
  });

  test('[D21] is told of one that earns nothing, too', () => {
    const unscored = { ...present, isScored: false };
    expect(
      tellingOf({ present: unscored, verdict: { ...counted, state: 'unscored' } }, untold, newLogId),
    ).toMatchObject({ is: 'imported', content: { isScored: false } });
  });

  test('[D25] says that it counts beside others where its member said so, and nothing of it otherwise', () => {
    const tellingWith = (override: boolean | null) =>
      tellingOf({ present: { ...present, override }, verdict: counted }, untold, newLogId);
    expect(tellingWith(true)).toMatchObject({ content: { countsBeside: true } });
    for (const override of [false, null]) expect(tellingWith(override)).toMatchObject({ content });
    expect(tellingWith(false)).not.toHaveProperty('content.countsBeside');
  });
});

describe('what is told of an import that does not count', () => {
  test('[D25] is that it is a duplicate, where another one counts in its place', () => {
    const telling = tellingOf({ present, verdict: duplicate }, told, newLogId);
    expect(telling).toEqual({ is: 'retracted', told: untold, logId: 'log', why: 'duplicate' });
  });

  test.each([
    ['skipped', { present, verdict: { state: 'skipped', sameAs: null } as const }],
    ['deleted by hand', { present, verdict: { state: 'removed', sameAs: null } as const }],
    ['gone', { present: null, verdict: undefined }],
    ['without a verdict', { present, verdict: undefined }],
  ])('[F09] is that it is deleted, where it is %s', (_, of) => {
    expect(tellingOf(of, told, newLogId)).toEqual({ is: 'retracted', told: untold, logId: 'log', why: 'deleted' });
  });

  test('[F09] is nothing, where nobody was told of it', () => {
    expect(untold).toEqual({ logId: null, revision: 0, content: null });
    expect(tellingOf({ present, verdict: duplicate }, untold, newLogId)).toBeUndefined();
    expect(tellingOf({ present: null, verdict: undefined }, untold, newLogId)).toBeUndefined();
  });
});

describe('the order in which tellings leave', () => {
  test('[D25] has what ends to count before what begins to, wherever they stand', () => {
    const world = new World().see(onStrava, onFitbit, saw('fitbit', 3, 'gone', 'f'));
    expect(world.tellings.map(({ is }) => is)).toEqual(['imported', 'retracted', 'imported', 'retracted', 'imported']);
    expect(world.tellings.map((one) => one.is === 'retracted' && one.why)).toEqual([
      false,
      'duplicate',
      false,
      'deleted',
      false,
    ]);
  });

  test('[D25] keeps that of the imports among those that begin to count', () => {
    const world = new World().see(saw('fitbit', 1, {}, 'a'), saw('fitbit', 2, { startedAt: at(-300) }, 'b'));
    const retold = world.imports.map((one) => ({ ...one, told: untold }));
    const { tellings } = settleImports(retold, () => 'log', { ownLogs: [] });
    expect(tellings.map((one) => one.is === 'imported' && one.content.startedAt)).toEqual([
      at(-60).toISOString(),
      at(-300).toISOString(),
    ]);
  });
});

describe('a retraction', () => {
  const goneOf = (world: World) => world.tellings.findLast(({ is }) => is === 'retracted');

  test('[D21] names the platform where a workout is gone there, and nothing else counts in its place', () => {
    const gone = new World().see(onFitbit, saw('fitbit', 3, 'gone', 'f'));
    expect(goneOf(gone)).toMatchObject({ why: 'deleted', goneAt: { platform: 'fitbit', isScored: true } });
  });

  test('[D21] names the platform where a workout and its duplicate are gone at the same time', () => {
    const { imports } = new World().see(onStrava, onFitbit);
    const news = imports.map((one) => ({ ...one, judged: null }));
    const { tellings } = settleImports(news, () => 'log', { ownLogs: [] });
    expect(tellings).toMatchObject([{ is: 'retracted', goneAt: { platform: 'fitbit' } }]);
  });

  test('[D25] names none where another recording takes the place of what is gone, or a workout was deleted by hand', () => {
    expect(goneOf(new World().see(onStrava, onFitbit, saw('fitbit', 3, 'gone', 'f')))).not.toHaveProperty('goneAt');
    expect(goneOf(new World().see(onStrava, onFitbit))).not.toHaveProperty('goneAt');
  });

  test('[D21 D25] names the platform of what is gone though another workout begins to count at the same time', () => {
    const { imports } = new World().see(onFitbit, saw('strava', 3, { startedAt: at(-400) }, 'far'));
    const news = imports.map((one) => (one.externalId === 'f' ? { ...one, judged: null } : { ...one, told: untold }));
    const { tellings } = settleImports(news, () => 'log', { ownLogs: [] });
    expect(tellings).toMatchObject([{ is: 'retracted', goneAt: { platform: 'fitbit' } }, { is: 'imported' }]);
  });
});

test('[D24] imports that are not meant decide about others, and stay as they are', () => {
  const world = new World().see(onStrava, onFitbit);
  const all = world.imports.map((one) => ({ ...one, told: untold }));
  const isMeant = ({ provider }: { provider: string }) => provider === 'strava';
  const { imports, tellings } = settleImports(all, () => 'log', { ownLogs: [], isMeant });
  expect(tellings).toEqual([]);
  expect(imports).toEqual(all);
  const { tellings: ofAll } = settleImports(all, () => 'log', { ownLogs: [] });
  expect(ofAll).toMatchObject([{ is: 'imported', content: { source: 'fitbit' } }]);
});
