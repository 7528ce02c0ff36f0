import { createInviteRequestSchema } from '@caravan/contracts/http/organisations';
import { expect, test } from 'vitest';
import { domainsIn, expiryAfter, lifetimesDays, pathOf, usesIn, usualLifetimeDays } from './invite.ts';

test('domains are typed as people type them', () => {
  expect(domainsIn(' @Example.com, example.org;example.net\nexample.io ')).toEqual([
    'example.com',
    'example.org',
    'example.net',
    'example.io',
  ]);
  expect(domainsIn(' ')).toEqual([]);
});

test.each([
  ['', null],
  [' 12 ', 12],
  ['0', undefined],
  ['1.5', undefined],
  ['many', undefined],
  ['100001', undefined],
])('[D1 D43] “%s” uses are %s', (typed, uses) => {
  expect(usesIn(typed)).toBe(uses);
});

test('[D1] every lifetime is one the server takes, and the usual one is offered', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  expect(expiryAfter(14, now)).toBe('2026-12-05T12:00:00.000Z');
  for (const days of lifetimesDays)
    expect(createInviteRequestSchema.safeParse({ expiresAt: expiryAfter(days, now) }).success).toBe(true);
  expect(lifetimesDays).toContain(usualLifetimeDays);
});

test('a code is drawn square by square', () => {
  expect(
    pathOf([
      [true, false],
      [false, true],
    ]),
  ).toBe('M0 0h1v1h-1zM1 1h1v1h-1z');
});
