import { Rejected } from '@caravan/kernel/rejected';
import { describe, expect, test } from 'vitest';
import { AsyncEvent, backoffMs, classifyError } from './retry.ts';

const errorWithCode = (code: string, name = 'error') => Object.assign(new Error('of the database'), { code, name });

describe('an error of a consumer', () => {
  test.each([
    ['a lost connection', errorWithCode('08006')],
    ['a server that shuts down', errorWithCode('57P01')],
    ['a deadlock', errorWithCode('40P01')],
    ['a serialisation failure', errorWithCode('40001')],
    ['too many connections', errorWithCode('53300')],
    ['a transaction that was idle for too long', errorWithCode('25P03')],
    ['a refused connection', errorWithCode('ECONNREFUSED')],
    ['a connection that `pg` found broken', new Error('Connection terminated unexpectedly')],
    ['Kafka', Object.assign(new Error('no broker'), { name: 'KafkaJSConnectionError' })],
    ['a rule that says: not now', new Rejected('some/rule', 'unavailable', 'later')],
  ])('passes: %s', (_, error) => {
    expect(classifyError(error).is).toBe('transient');
  });

  test('is a refusal when the rules say no, under the code of the rule', () => {
    expect(classifyError(new Rejected('log/too-long', 'invalid', 'Too long'))).toEqual({
      is: 'refused',
      code: 'log/too-long',
      message: 'Too long',
    });
  });

  test.each([
    ['a broken constraint', errorWithCode('23505'), '23505'],
    ['a statement that is wrong', errorWithCode('42703'), '42703'],
    ['a statement that takes too long', errorWithCode('57014'), '57014'],
    ['a defect', new TypeError('x is not a function'), 'TypeError'],
    ['something thrown that is no error', 'nonsense', 'string'],
  ])('is a fault otherwise: %s', (_, error, code) => {
    expect(classifyError(error)).toMatchObject({ is: 'permanent', code });
  });

  test('is waited out twice as long each time, up to a limit', () => {
    expect([1, 2, 3, 4, 20].map((failures) => backoffMs(failures, 1_000))).toEqual([100, 200, 400, 800, 1_000]);
    expect(backoffMs(0)).toBe(100);
  });
});

test('a wait ends when the event is set, and at once when it already is', async () => {
  const event = new AsyncEvent();
  const waiting = event.wait(60_000);
  event.set();
  expect(await waiting).toBe(true);
  expect(await event.wait(60_000)).toBe(true);
});

test('a wait that nobody ends is over after its time; an event that was reset does not end it', async () => {
  const event = new AsyncEvent();
  event.set();
  event.reset();
  expect(event.isSet()).toBe(false);
  expect(await event.wait(1)).toBe(false);
});
