import { expect, test } from 'vitest';
import { recall, type StoredEvent } from './stream.ts';

const where = { orgId: 'org', streamId: 'jar-a' };
const stored: StoredEvent = {
  eventId: 'event',
  version: 1,
  position: 1,
  type: 'JarOpened',
  schemaVersion: 1,
  data: { jarId: 'a' },
  actorId: null,
  recordedAt: new Date('2026-06-15T12:00:00Z'),
};

test('a recorded event is read in the form in which it was recorded', () => {
  expect(recall(where, [stored])).toMatchObject([{ orgId: 'org', type: 'JarOpened', data: { jarId: 'a' } }]);
});

test.each([0, 2])(
  'a process refuses to read an event in schema version %i, which it does not know',
  (schemaVersion) => {
    const unknown = { ...stored, schemaVersion };
    expect(() => recall(where, [stored, unknown])).toThrow(
      `recorded in schema version ${schemaVersion}, this code knows 1`,
    );
  },
);
