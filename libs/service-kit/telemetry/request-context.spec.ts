import { organisationKey, personKey } from '@caravan/contracts/events/fact-key';
import { describe, expect, test } from 'vitest';
import {
  isLate,
  markStale,
  nameCaller,
  nameSubject,
  noteConcerned,
  noteCommitted,
  runInContext,
  timeLeft,
} from './request-context.ts';

const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: false };

const ada = personKey('ada');

/** The headers that work leaves on its answer. */
function headersAfter(work: () => void): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = { header: (name: string, value: string) => (headers[name] = value) };
  runInContext({ trace, answer }, work);
  return headers;
}

describe('read your own writes', () => {
  test('a write answers with its position and whose reads must see it', () => {
    const headers = headersAfter(() => {
      nameCaller({ userId: 'ada', orgId: 'org' });
      noteCommitted('activity', { epoch: 0, position: 123, key: ada });
    });
    expect(headers).toEqual({ 'x-event-position': 'activity:123', 'x-event-subject': 'ada' });
  });

  test('[D2] an answer names somebody else whose next commands wait for what it wrote', () => {
    const headers = headersAfter(() => {
      nameCaller({ userId: 'ada', orgId: 'org' });
      noteConcerned('max');
      noteCommitted('identity', { epoch: 0, position: 3, key: organisationKey('org') });
    });
    expect(headers).toEqual({
      'x-event-position': 'identity:3',
      'x-event-subject': 'ada',
      'x-event-concerns': 'max',
    });
  });

  test('of several commits the furthest counts', () => {
    const headers = headersAfter(() => {
      noteCommitted('activity', { epoch: 0, position: 7, key: ada });
      noteCommitted('activity', { epoch: 0, position: 5, key: ada });
    });
    expect(headers).toEqual({ 'x-event-position': 'activity:7' });
  });

  test('where nobody is signed in yet the operation names the person, before or after the commit', () => {
    const named = { 'x-event-position': 'identity:1', 'x-event-subject': 'new' };
    expect(
      headersAfter(() => {
        nameSubject('new');
        noteCommitted('identity', { epoch: 0, position: 1, key: organisationKey('org') });
      }),
    ).toEqual(named);
    expect(
      headersAfter(() => {
        noteCommitted('identity', { epoch: 0, position: 1, key: organisationKey('org') });
        nameSubject('new');
      }),
    ).toEqual(named);
  });

  test.each([
    ['scoring', 'the organisation, while readers wait by person', organisationKey('org')],
    ['scoring', 'somebody else', personKey('omar')],
    ['identity', 'another organisation', organisationKey('elsewhere')],
    ['identity', 'a person, while readers wait by organisation', ada],
    ['social', 'the organisation, while readers wait by person', organisationKey('org')],
  ] as const)('%s reports no position of facts that are keyed by %s', (service, _, key) => {
    const headers = headersAfter(() => {
      nameCaller({ userId: 'ada', orgId: 'org' });
      noteCommitted(service, { epoch: 0, position: 9, key });
    });
    expect(headers).toEqual({});
  });

  test('a read leaves no position', () => {
    expect(headersAfter(() => nameCaller({ userId: 'ada', orgId: 'org' }))).toEqual({});
  });

  test('an answer that may lack the latest writes says so', () => {
    expect(headersAfter(() => markStale(['activity']))).toEqual({ 'x-stale': 'true' });
  });

  test('an answer that may lack the latest writes knows of which service', () => {
    runInContext({ trace }, () => {
      markStale(['activity']);
      expect([isLate('activity'), isLate('identity')]).toEqual([true, false]);
    });
  });
});

test('outside a request nothing is noted and nothing breaks', () => {
  expect(() => {
    noteCommitted('activity', { epoch: 0, position: 1, key: ada });
    nameSubject('ada');
    markStale(['activity']);
    expect(isLate('activity')).toBe(false);
  }).not.toThrow();
});

describe('[S42] a deadline', () => {
  const leftFor = (milliseconds: number, state: 'awaited' | 'answered' | 'gone') =>
    runInContext({ trace, deadline: { at: performance.now() + milliseconds, answer: () => state } }, timeLeft);

  test('leaves what is left of it to whoever works on the answer, and nothing once it has passed', () => {
    expect(leftFor(5_000, 'awaited')).toBeGreaterThan(4_000);
    expect(leftFor(-1, 'awaited')).toBe(0);
  });

  test('leaves nothing when whoever asked has gone, and all the time to what goes on after the answer', () => {
    expect(leftFor(5_000, 'gone')).toBe(0);
    expect(leftFor(-1, 'answered')).toBeUndefined();
  });

  test('is none outside requests', () => {
    expect([timeLeft(), runInContext({ trace }, timeLeft)]).toEqual([undefined, undefined]);
  });
});
