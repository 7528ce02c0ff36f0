import { describe, expect, test } from 'vitest';
import { mostAttempts, refusalOf, restSeconds, resultOf } from './endpoint.ts';

describe('a push endpoint', () => {
  test.each([
    'http://push.example.org/x',
    'https://127.0.0.1/x',
    'https://10.0.0.5/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://127.1/x',
    'https://localhost/x',
    'https://localhost./x',
    'https://identity/x',
    'https://api.localhost/x',
    'https://metadata.google.internal/x',
    'https://printer.local/x',
    'https://169.254.169.254/latest',
    'https://push.example.org:8443/x',
    'https://maya@push.example.org/x',
    'https://:pw@push.example.org/x',
  ])('[S30] %s is refused', (endpoint) => {
    expect(refusalOf(endpoint, false)).toMatch(/^The endpoint must /);
  });

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=x',
    'https://8.8.8.8/x',
  ])('[S30] %s is taken', (endpoint) => {
    expect(refusalOf(endpoint, false)).toBeUndefined();
  });

  test('[S30] of a network of one’s own is taken where the operator lets it, for development', () => {
    expect(refusalOf('http://127.0.0.1:1234/x', true)).toBeUndefined();
  });
});

describe('what a push service answers', () => {
  test.each([
    [201, 'arrived'] as const,
    [404, 'gone'],
    [410, 'gone'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'] as const,
    [400, 'refused'],
    [403, 'refused'],
    [413, 'refused'],
    [307, 'refused'],
  ])('[D34] %i means %s', (status, result) => {
    expect(resultOf(status)).toBe(result);
  });

  test('[D34] the next attempt comes later each time, as late as the service asks, within the hour', () => {
    const rests = Array.from({ length: mostAttempts }, (_, nth) => restSeconds(nth + 1));
    expect(rests).toEqual([30, 60, 120, 240, 480, 960]);
    expect([restSeconds(1, 90), restSeconds(3, 1), restSeconds(1, 86_400)]).toEqual([90, 120, 3_600]);
  });
});
