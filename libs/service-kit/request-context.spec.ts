import { describe, expect, test } from 'vitest';
import { markStale, nameCaller, nameSubject, noteCommitted, runInContext } from './request-context.ts';

const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: false };

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
      noteCommitted('activity', 123);
    });
    expect(headers).toEqual({ 'x-event-position': 'activity:123', 'x-event-subject': 'ada' });
  });

  test('of several commits the furthest counts', () => {
    const headers = headersAfter(() => {
      noteCommitted('activity', 7);
      noteCommitted('activity', 5);
    });
    expect(headers).toEqual({ 'x-event-position': 'activity:7' });
  });

  test('where nobody is signed in yet the operation names the person, before or after the commit', () => {
    const named = { 'x-event-position': 'identity:1', 'x-event-subject': 'new' };
    expect(
      headersAfter(() => {
        nameSubject('new');
        noteCommitted('identity', 1);
      }),
    ).toEqual(named);
    expect(
      headersAfter(() => {
        noteCommitted('identity', 1);
        nameSubject('new');
      }),
    ).toEqual(named);
  });

  test('a read leaves no position', () => {
    expect(headersAfter(() => nameCaller({ userId: 'ada', orgId: 'org' }))).toEqual({});
  });

  test('an answer that may lack the latest writes says so', () => {
    expect(headersAfter(markStale)).toEqual({ 'x-stale': 'true' });
  });
});

test('outside a request nothing is noted and nothing breaks', () => {
  expect(() => {
    noteCommitted('activity', 1);
    nameSubject('ada');
    markStale();
  }).not.toThrow();
});
