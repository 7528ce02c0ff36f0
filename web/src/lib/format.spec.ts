import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { datesIn } from './dates.ts';
import { formatBytes, formatDistance, formatDuration, initialsOf } from './format.ts';
import { nextCursor } from './pages.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

test.each([
  [0, '0.0'],
  [3, '3.0'],
  ['12.00', '12.0'],
  [128.44, '128.4'],
  [1204.25, '1,204.3'],
])('[9.8] %s miles read %s', (miles, text) => {
  expect(formatDistance(miles, 'imperial')).toBe(text);
});

test('[9.8] the running timer shows two decimals', () => {
  expect(formatDistance(1.6, 'imperial', 'two')).toBe('1.60');
  expect(formatDistance(1, 'metric', 'two')).toBe('1.61');
});

test.each([
  [1.8, '1.8'],
  [0.04, '0.1'],
  [5 - 3.2, '1.8'],
  [5 - 4.9, '0.1'],
])('[2.58] %d miles to go read %s, never nothing', (miles, text) => {
  expect(formatDistance(miles, 'imperial', 'left')).toBe(text);
});

test.each([
  [1, '1.6'],
  [5, '8.0'],
  ['3.00', '4.8'],
  [128.44, '206.7'],
])('[9.22] %s miles are %s kilometers', (miles, text) => {
  expect(formatDistance(miles, 'metric')).toBe(text);
});

test('[9.22] a mile is 1.609344 kilometers', () => {
  expect(formatDistance(1_000_000, 'metric')).toBe('1,609,344.0');
});

test('[9.22] what is still to go never reads as nothing in kilometers either', () => {
  expect(formatDistance(0.01, 'metric', 'left')).toBe('0.1');
});

test.each([
  [50, 'imperial', '50'],
  [1.5, 'imperial', '1.5'],
  [50, 'metric', '80.5'],
] as const)('a goal of %d miles reads briefly in %s units: %s', (miles, units, text) => {
  expect(formatDistance(miles, units, 'brief')).toBe(text);
});

test.each([
  [0, '0 min'],
  [45, '45 min'],
  [60, '1 hr'],
  [330, '5 hr 30 min'],
])('[9.22] %d minutes read %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text);
});

test.each([
  [10, '0.1 kB'],
  [1536, '1.5 kB'],
  [3 * 1024 * 1024, '3 MB'],
])('%d bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
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
  expect(datesIn('UTC').formatAgo(new Date(at).toISOString(), at + later, 'just now')).toBe(text);
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
