import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { activityEvents } from './activity.events.ts';
import { allContracts as contracts } from './all-events.ts';
import released from './released-versions.json' with { type: 'json' };

const folder = new URL('../samples/', import.meta.url);
const fileOf = ({ type, version }: { type: string; version: number }) => `${type}.v${version}.json`;
const sampleOf = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, unknown>;
/** Optional fields that came within a version are told in a second sample, `<type>.v<n>.<field>.json`. */
const additions: Readonly<Record<string, readonly string[]>> = {
  NotificationDue: ['metricText'],
  MilesCredited: ['shown'],
  WeeklyChallengeCompleted: ['isOwnerOnly'],
  ReactionGiven: ['isOwnerOnly'],
  TeamNamedByBallot: ['name'],
  WorkoutRetracted: ['goneAt'],
};
const published = contracts.flatMap(({ type, version, data, earlier = [] }) => [
  { file: fileOf({ type, version }), data },
  ...(additions[type] ?? []).map((field) => ({ file: `${type}.v${version}.${field}.json`, data })),
  ...earlier.map((one) => ({ file: fileOf({ type, version: one.version }), data: one.published })),
]);

describe('public events', () => {
  test.each(published)('the frozen sample $file still parses', ({ file, data }) => {
    expect(data.parse(sampleOf(file))).toEqual(sampleOf(file));
  });

  test('every sample belongs to an event, so that none is forgotten when a version retires', () => {
    expect(readdirSync(folder).toSorted()).toEqual(published.map(({ file }) => file).toSorted());
  });

  test.each(
    contracts.flatMap((contract) =>
      (contract.earlier ?? []).map((one) => ({ ...one, type: contract.type, now: contract.data })),
    ),
  )('the frozen sample of $type v$version says all that its present version says', ({ type, version, data, now }) => {
    const lifted = data.parse(sampleOf(fileOf({ type, version })));
    expect(now.parse(lifted)).toEqual(lifted);
  });

  test('[F18] a fact is published in no version that processes of the release before would park', () => {
    const taken: Readonly<Record<string, readonly number[]>> = released;
    const tooEarly = contracts.filter(({ type, version }) => taken[type]?.includes(version) === false);
    // First a release that takes the version (`earlier`), then one that publishes it.
    expect(tooEarly.map(({ type, version }) => `${type} v${version}`)).toEqual([]);
  });

  test('[F18] what the release before published is still taken', () => {
    for (const [type, versions] of Object.entries(released)) {
      const contract = contracts.find((each) => each.type === type);
      const taken = [contract?.version, ...(contract?.earlier ?? []).map(({ version }) => version)];
      expect([type, versions.filter((version) => !taken.includes(version))]).toEqual([type, []]);
    }
  });

  test('[3.39] a log of a provider that is not known here counts as typed in', () => {
    const sample = { ...sampleOf('MovementLogged.v1.json'), source: 'tomorrows-watch' };
    expect(activityEvents.MovementLogged.data.parse(sample).source).toBe('manual');
  });

  test('an event with a missing field is refused by its schema', () => {
    const sample = JSON.parse(readFileSync(new URL('MovementLogged.v1.json', folder), 'utf8')) as Record<
      string,
      unknown
    >;
    delete sample['centimiles'];
    expect(activityEvents.MovementLogged.data.safeParse(sample).success).toBe(false);
  });
});
