import { describe, expect, test } from 'vitest';
import { cookieNameOf, cookieOf, isFromOwnPages, onlyCookies, refreshCookieOf } from './cookies.ts';

const inAWeek = new Date('2026-11-23T08:00:00Z');

describe('the refresh cookie', () => {
  test('[S08] on https is __Host-rt: HttpOnly, Secure, SameSite=Strict, Path=/, no Domain', () => {
    const cookie = refreshCookieOf('https://caravan.example').write('token', inAWeek);
    expect(cookie.split('; ').toSorted()).toEqual(
      [
        '__Host-rt=token',
        'Expires=Mon, 23 Nov 2026 08:00:00 GMT',
        'HttpOnly',
        'Path=/',
        'SameSite=Strict',
        'Secure',
      ].toSorted(),
    );
  });

  test('[S08] its kin of a connection comes along when a platform sends the browser back, and those that sign in do not', () => {
    const cookieText = (use: 'connect' | 'device' | 'refresh') =>
      cookieOf(use, 'https://caravan.test').write('value', new Date());
    expect(cookieText('connect')).toContain('SameSite=Lax');
    for (const use of ['device', 'refresh'] as const) expect(cookieText(use)).toContain('SameSite=Strict');
  });

  test('[S08] on plain http is rt without Secure', () => {
    const cookie = refreshCookieOf('http://127.0.0.1:8080').write('token', inAWeek);
    expect(cookie).toMatch(/^rt=token; /);
    expect(cookie).not.toMatch(/Secure|Domain/);
  });

  test('[S08] is read back among others, and a cleared or missing one is none', () => {
    const cookie = refreshCookieOf('http://127.0.0.1:8080');
    expect(cookie.read('a=b; rt=token; c=d')).toBe('token');
    expect(cookie.read('rt=')).toBeUndefined();
    expect(cookie.read('__Host-rt=token')).toBeUndefined();
    expect(cookie.read(undefined)).toBeUndefined();
    expect(cookie.clear()).toMatch(/^rt=; .*Expires=Thu, 01 Jan 1970/);
  });
});

describe('cookies that are handed on', () => {
  test('[S09] are those of the names that are asked for, as they came', () => {
    const name = cookieNameOf('refresh', 'https://caravan.example');
    expect(onlyCookies('a=b;__Host-rt=x=%20y ; rt=z;  __Host-rtx=1', [name])).toBe('__Host-rt=x=%20y');
    expect(onlyCookies('a=b; rt=z', [name])).toBeUndefined();
    expect(onlyCookies('rt=z', [])).toBeUndefined();
    expect(onlyCookies(undefined, [name])).toBeUndefined();
  });
});

describe('a request with the cookie', () => {
  test.each([
    ['our own origin', { origin: 'https://caravan.example' }],
    ['a program that is no browser', {}],
    ['a browser that says same-origin', { 'sec-fetch-site': 'same-origin' }],
  ])('[S09] is taken from %s', (_, headers) => {
    expect(isFromOwnPages(headers, 'https://caravan.example')).toBe(true);
  });

  test.each([
    'https://evil.example',
    'http://caravan.example',
    'https://caravan.example:8443',
    'https://caravan.example.evil.example',
    'https://evilcaravan.example',
    'https://sub.caravan.example',
    'https://caravan.example@evil.example',
    'https://caravan.example\u0000.evil.example',
    'http://localhost:8080',
    'http://127.0.0.1',
    'null',
    '',
    'file://',
    'data:text/html,x',
    'chrome-extension://abcdef',
    'https://CARAVAN.example.',
    'https://xn--caravan-.example',
    '//caravan.example',
    'caravan.example',
    'https://[::1]:8080',
  ])('[S09 S10] is refused from the origin %j', (origin) => {
    expect(isFromOwnPages({ origin }, 'https://caravan.example')).toBe(false);
  });

  test.each(['cross-site', 'same-site', 'none'])('[S09] is refused without Origin from %s', (site) => {
    expect(isFromOwnPages({ 'sec-fetch-site': site }, 'https://caravan.example')).toBe(false);
  });

  test('[S09] is taken from any name of the same machine while the product runs there', () => {
    expect(isFromOwnPages({ origin: 'http://localhost:8080' }, 'http://127.0.0.1:8080')).toBe(true);
    expect(isFromOwnPages({ origin: 'http://localhost:9090' }, 'http://127.0.0.1:8080')).toBe(false);
    expect(isFromOwnPages({ origin: 'https://localhost:8080' }, 'http://127.0.0.1:8080')).toBe(false);
  });
});
