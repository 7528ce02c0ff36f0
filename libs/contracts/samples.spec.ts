import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { activityEvents } from './activity.events.ts';
import type { PublicEventContract } from './envelope.ts';
import { identityEvents } from './identity.events.ts';
import { scoringEvents } from './scoring.events.ts';

const folder = new URL('samples/', import.meta.url);
const contracts: PublicEventContract[] = [activityEvents, identityEvents, scoringEvents].flatMap((events) =>
  Object.values(events),
);
const fileOf = ({ type, version }: PublicEventContract) => `${type}.v${version}.json`;

describe('public events', () => {
  test.each(contracts.map((contract) => [fileOf(contract), contract] as const))(
    'the frozen sample %s still parses',
    (file, contract) => {
      const sample: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      expect(contract.data.parse(sample)).toEqual(sample);
    },
  );

  test('every sample belongs to an event, so that none is forgotten when a version retires', () => {
    expect(readdirSync(folder).toSorted()).toEqual(contracts.map(fileOf).toSorted());
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
