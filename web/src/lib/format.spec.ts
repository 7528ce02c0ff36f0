// @vitest-environment node
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { formatAgo, formatMiles, formatMilesExactly, formatMilesLeft, initialsOf } from './format.ts';
import { nextCursor } from './link.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

test.each([
  [0, '0.0'],
  [3, '3.0'],
  ['12.00', '12.0'],
  [128.44, '128.4'],
  [1204.25, '1,204.3'],
])('[9.8] %s miles read %s', (miles, text) => {
  expect(formatMiles(miles)).toBe(text);
});

test('[9.8] the running timer shows two decimals', () => {
  expect(formatMilesExactly(1.6)).toBe('1.60');
});

test.each([
  [1.8, '1.8'],
  [0.04, '0.1'],
  [5 - 3.2, '1.8'],
  [5 - 4.9, '0.1'],
])('[2.58] %d miles to go read %s, never nothing', (miles, text) => {
  expect(formatMilesLeft(miles)).toBe(text);
});

const second = 1000;
const day = 86_400 * second;

test.each([
  [-5 * second, 'just now'],
  [59 * second, 'just now'],
  [60 * second, '1 minute ago'],
  [3599 * second, '59 minutes ago'],
  [3600 * second, '1 hour ago'],
  [day, '1 day ago'],
  [13 * day, '1 week ago'],
  [40 * day, 'Oct 12, 2026'],
])('%d ms later it happened %s', (later, text) => {
  const at = Date.UTC(2026, 9, 12, 12);
  expect(formatAgo(new Date(at).toISOString(), at + later, 'just now')).toBe(text);
});

test.each([
  ['Maya Okafor', 'MO'],
  ['  maya  ', 'M'],
  ['Ana de la Cruz', 'AC'],
  ['🦊 Fox', '🦊F'],
  ['', ''],
])('[2.26] %j has the initials %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ['</api/feed/all?limit=10&cursor=abc%3D>; rel="next"', 'abc='],
  ['</x?cursor=1>; rel="prev", </x?cursor=2>; rel="next"', '2'],
  ['</x?cursor=1>; rel="prev"', null],
  [null, null],
  ['', null],
])('[D17] the next page of %j is %j', (link, cursor) => {
  expect(nextCursor(link)).toBe(cursor);
});
