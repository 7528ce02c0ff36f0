import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deviceNameOf } from './device-name.ts';

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/141.0.0.0 Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
  [
    'Opera on macOS',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${like} Chrome/140.0.0.0 Safari/537.36 OPR/124.0`,
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.6 Safari/605.1.15',
  ],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome on iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 CriOS/141.0 Mobile/15E148 Safari/604.1',
  ],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 15; K) ${like} Chrome/141.0.0.0 Mobile Safari/537.36`],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 15; K) ${like} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
  ],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${like} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${like} HeadlessChrome/141.0.0.0 Safari/537.36`],
  ['A browser on Windows', 'Something/1.0 (Windows NT 10.0)'],
  ['curl', 'curl/8.5.0'],
  ['Unknown device', ''],
  ['Unknown device', 'node'],
])('[D43] is called %s: %s', (name, userAgent) => {
  expect(deviceNameOf(userAgent)).toBe(name);
});

test('[S36] whatever a device says of itself, its name is one of ours', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (userAgent) => {
      expect(deviceNameOf(userAgent)).toMatch(/^[A-Za-z]+( Internet| browser| device)?( on [A-Za-z]+)?$/);
    }),
  );
});
