import { publicEvent } from '@caravan/contracts/events/envelope';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decode, groupsOf, type Handler } from './consumer.ts';
import { envelope } from '../testing/envelope.ts';

const handler = (type: string, version = 1, group = 'group', from: 'activity' | 'scoring' = 'activity'): Handler => ({
  subscription: { group, from, contract: publicEvent(type, version, z.object({ n: z.number() })) },
  handle: async () => undefined,
});
const [group] = groupsOf([handler('Counted'), handler('Counted', 2), handler('Forgotten')]);
const read = (value: string | null, key = 'maya') =>
  decode({ key, value: value === null ? null : Buffer.from(value) }, group?.topics[0]?.handlers ?? new Map());

describe('a message', () => {
  test('becomes the event of its contract, with its envelope', () => {
    const decoded = read(envelope('maya', 7, { actorId: null, surplus: 'left out' }));
    expect(decoded).toMatchObject({ is: 'event', event: { key: 'maya', position: 7, data: { n: 7 } } });
    expect(decoded.envelope).not.toHaveProperty('surplus');
  });

  test('is handed to the method of its version', () => {
    const decoded = read(envelope('maya', 7, { version: 2 }));
    expect(decoded).toMatchObject({ is: 'event', handler: { subscription: { contract: { version: 2 } } } });
  });

  test('of an earlier version that its contract still takes says what it said, as it is said now', () => {
    const published = z.object({ n: z.number() });
    const data = published.transform(({ n }) => ({ count: n, unit: 'steps' }));
    const counted = publicEvent('Counted', 2, z.object({ count: z.number(), unit: z.string() }));
    const now = { ...counted, earlier: [{ version: 1, published, data }] };
    const both = { ...handler('Counted'), subscription: { ...handler('Counted').subscription, contract: now } };
    const [topic] = groupsOf([both])[0]?.topics ?? [];
    const readBoth = (more: Record<string, unknown>) =>
      decode({ key: 'maya', value: Buffer.from(envelope('maya', 7, more)) }, topic?.handlers ?? new Map());
    const event = { data: { count: 7, unit: 'steps' } };
    expect(readBoth({ version: 1 })).toMatchObject({ is: 'event', event });
    expect(readBoth({ version: 2, data: { count: 7, unit: 'steps' } })).toMatchObject({ is: 'event', event });
    expect(readBoth({ version: 2 })).toMatchObject({ is: 'broken', code: 'message/bad-data' });
    expect(readBoth({ version: 3 })).toMatchObject({ is: 'broken', code: 'message/unknown-version' });
    expect(() => groupsOf([both, handler('Counted')])).toThrow('two handlers for Counted v1');
  });

  test('of a type without a method is foreign, whatever its version and data', () => {
    expect(read(envelope('maya', 7, { type: 'Elsewhere', version: 9, data: null })).is).toBe('foreign');
  });

  test('that its method has nothing to do with is foreign, unless it breaks the contract', () => {
    const takes = ({ n }: { n: number }) => n > 7;
    const choosing = { ...handler('Counted'), subscription: { ...handler('Counted').subscription, takes } } as Handler;
    const [topic] = groupsOf([choosing])[0]?.topics ?? [];
    const readBy = (more: object) =>
      decode({ key: 'maya', value: Buffer.from(envelope('maya', 7, { ...more })) }, topic?.handlers ?? new Map()).is;
    expect([readBy({}), readBy({ data: { n: 8 } }), readBy({ data: {} })]).toEqual(['foreign', 'event', 'broken']);
  });

  test.each([
    ['is empty', null, 'message/empty'],
    ['is not JSON', '{', 'message/not-json'],
    ['is JSON of something else', '[]', 'message/bad-envelope'],
    ['has no position', envelope('maya', 0), 'message/bad-envelope'],
    ['names another key', envelope('omar', 7), 'message/wrong-key'],
    ['has a version that nobody knows', envelope('maya', 7, { version: 3 }), 'message/unknown-version'],
    ['has data that break the contract', envelope('maya', 7, { data: {} }), 'message/bad-data'],
  ])('that %s is broken', (_, value, code) => {
    expect(read(value)).toMatchObject({ is: 'broken', code });
  });
});

describe('the groups of a service', () => {
  test('read each topic once and follow what they read and reflect', () => {
    const reflecting: Handler = {
      ...handler('Credited', 1, 'totals', 'scoring'),
      subscription: { ...handler('Credited', 1, 'totals', 'scoring').subscription, reflects: ['activity'] },
    };
    const groups = groupsOf([handler('Counted'), handler('Forgotten'), reflecting]);
    expect(groups.map(({ name, topics }) => [name, ...topics.map((topic) => topic.name)])).toEqual([
      ['group', 'activity.v1'],
      ['totals', 'scoring.v1'],
    ]);
    expect(groups.map(({ follows }) => [...follows])).toEqual([['activity'], ['scoring', 'activity']]);
  });

  test('lock keys when one of their methods asks for it', () => {
    const locking = { ...handler('Counted'), subscription: { ...handler('Counted').subscription, locksKeys: true } };
    expect(groupsOf([locking, handler('Forgotten')]).map(({ locksKeys }) => locksKeys)).toEqual([true]);
    expect(groupsOf([handler('Counted')]).map(({ locksKeys }) => locksKeys)).toEqual([false]);
  });

  test('have one method for each type and version; the same type may be taken by another group', () => {
    expect(() => groupsOf([handler('Counted'), handler('Counted')])).toThrow('two handlers for Counted v1 of activity');
    expect(groupsOf([handler('Counted'), handler('Counted', 1, 'other')]).length).toBe(2);
  });

  test('are prompt unless all they take may come later, and then no reader waits for them', () => {
    const late = (isAwaited: boolean): Handler => ({
      ...handler('Counted', 1, 'late'),
      subscription: { ...handler('Counted', 1, 'late').subscription, isAwaited, isPrompt: false },
    });
    expect(groupsOf([late(false)])).toMatchObject([{ isPrompt: false }]);
    expect(groupsOf([late(false), handler('Forgotten', 1, 'late')])).toMatchObject([{ isPrompt: true }]);
    expect(() => groupsOf([late(true)])).toThrow('Readers wait for group late');
  });
});
