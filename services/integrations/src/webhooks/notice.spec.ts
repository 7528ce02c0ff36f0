import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Notice } from '../providers/index.ts';
import { isVain, type Kept, overflowOf, questionsOf, readingOf, restSecondsOf, textOf, waitSeconds } from './notice.ts';

const at = (minutes: number) => new Date(Date.parse('2026-11-20T12:10:00.000Z') + minutes * 60_000);
const notice = (more: Partial<Notice> = {}): Notice => ({
  kind: 'changed',
  providerUserId: '1',
  externalId: 'a',
  from: null,
  to: null,
  at: at(0),
  ...more,
});
const keptNotice = (noticeId: string, more: Partial<Kept> = {}): Kept => ({
  noticeId,
  kind: 'changed',
  externalId: null,
  fromAt: null,
  toAt: null,
  ...more,
});

test('[F08] delivered again a notice is the same, another one is not', () => {
  expect(textOf(notice())).toBe(textOf(notice()));
  const others = [
    { at: at(1) },
    { kind: 'deleted' },
    { externalId: 'b' },
    { providerUserId: '2' },
    { kind: 'revoked' },
  ];
  const texts = others.map((more) => textOf(notice(more as Partial<Notice>)));
  expect(new Set([...texts, textOf(notice())]).size).toBe(6);
});

test('[S33] what comes in the same second is read together, once the last of it is due', () => {
  const millisecond = fc.integer({ min: 0, max: 999 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
      millisecond,
      millisecond,
      (second, one, other) => {
        const [first, last] = [one, other].map((part) => new Date(second * 1_000 + part)) as [Date, Date];
        expect(readingOf(first).second).toBe(readingOf(last).second);
        const readAt = first.getTime() / 1_000 + readingOf(first).delaySeconds;
        expect(readAt).toBeGreaterThan(last.getTime() / 1_000 + waitSeconds);
        expect(readAt).toBeLessThan(second + 1 + waitSeconds + 1);
      },
    ),
  );
});

test('a workout is asked for once, however much was told of it, and spans that meet are one', () => {
  const span = (from: number, to: number) => ({ fromAt: at(from), toAt: at(to) });
  const questions = questionsOf([
    keptNotice('1', { externalId: 'a' }),
    keptNotice('2', span(60, 70)),
    keptNotice('3', { externalId: 'a', kind: 'deleted' }),
    keptNotice('4', span(0, 10)),
    keptNotice('5', span(9, 30)),
    keptNotice('6', { kind: 'revoked' }),
  ]);
  expect(questions).toEqual([
    { is: 'one', externalId: 'a', noticeIds: ['1', '3'] },
    { is: 'span', from: at(-1), to: at(31), noticeIds: ['4', '5'] },
    { is: 'span', from: at(59), to: at(71), noticeIds: ['2'] },
  ]);
});

test('[S33] what comes after too many of an hour is one look at a week when it is over', () => {
  const one = overflowOf('1', at(0));
  const other = overflowOf('1', at(49));
  expect(textOf(one.notice)).toBe(textOf(other.notice));
  expect(one.dueAt).toEqual(at(50));
  expect(one.notice).toMatchObject({ from: at(50 - 7 * 1_440), to: at(110) });
  expect(textOf(overflowOf('1', at(50)).notice)).not.toBe(textOf(one.notice));
});

test('[F11] asking is given up when it is in vain, and rests longer each time until then', () => {
  expect([isVain('unreachable', 39), isVain('unreachable', 40), isVain('refused', 4), isVain('refused', 5)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect([1, 3, 12].map((tries) => restSecondsOf([{ tries }, { tries: 1 }]))).toEqual([10, 40, 3_600]);
  expect(restSecondsOf([{ tries: 1 }], 77)).toBe(77);
});
