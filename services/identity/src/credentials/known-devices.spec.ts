import { describe, expect, test } from 'vitest';
import { KnownDevices } from './known-devices.service.ts';

const settings = { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7), PUBLIC_URL: 'https://caravan.example' };
const devices = new KnownDevices(settings);
const at = new Date('2026-11-23T08:00:00Z');
const daysLater = (days: number) => new Date(at.getTime() + days * 86_400_000);
/** What a browser sends after a Set-Cookie header. */
const cookieOf = (setCookie: string) => setCookie.split(';', 1)[0] ?? '';
const cookie = cookieOf(devices.remember(undefined, 'maya@acme.example', at));

describe('a known device', () => {
  test('[S08] is told by a cookie that no script and no other site sees', () => {
    const attributes = devices.remember(undefined, 'maya@acme.example', at).split('; ').slice(1);
    const expiry = 'Expires=Sat, 22 May 2027 08:00:00 GMT';
    expect(attributes.toSorted()).toEqual([expiry, 'HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(cookie).toMatch(/^__Host-device=/);
  });

  test('[S15 S16] is known to the account that was signed in on it, and to no other', () => {
    expect(devices.deviceOf(cookie, 'Maya@ACME.example', at)).toMatch(/^[\w-]{22}$/);
    expect(devices.deviceOf(cookie, 'omar@acme.example', at)).toBeUndefined();
    expect(cookie).not.toMatch(/maya|acme/i);
  });

  test('[S15] is none where the cookie is missing, forged, of another instance, of tomorrow or older than 180 days', () => {
    const deviceOf = (text: string | undefined, when = at) => devices.deviceOf(text, 'maya@acme.example', when);
    const [name, value = ''] = cookie.split('=');
    const [deviceId, day = '', mac] = value.split('.');
    const elsewhere = new KnownDevices({ ...settings, KEY_ENCRYPTION_KEY: Buffer.alloc(32, 8) });
    for (const forged of [undefined, '', `${name}=`, `${name}=x`, `device=${value}`, `${name}=${'a'.repeat(4_000)}`])
      expect(deviceOf(forged)).toBeUndefined();
    expect(deviceOf(`${name}=${deviceId}.${Number(day) + 1}.${mac}`, daysLater(2))).toBeUndefined();
    expect(deviceOf(`${name}=${'A'.repeat(22)}.${day}.${mac}`)).toBeUndefined();
    expect(deviceOf(`${name}=${deviceId}.${day}.${'A'.repeat(43)}`)).toBeUndefined();
    expect(deviceOf(cookieOf(elsewhere.remember(undefined, 'maya@acme.example', at)))).toBeUndefined();
    expect(deviceOf(cookie, daysLater(-1))).toBeUndefined();
    expect(deviceOf(cookie, daysLater(180))).toBeDefined();
    expect(deviceOf(cookie, daysLater(181))).toBeUndefined();
  });

  test('[S15] stays the same when somebody signs in there again, and lasts longer', () => {
    const renewed = cookieOf(devices.remember(cookie, 'maya@acme.example', daysLater(100)));
    expect(devices.deviceOf(renewed, 'maya@acme.example', daysLater(200))).toBe(
      devices.deviceOf(cookie, 'maya@acme.example', at),
    );
  });

  test('serves five accounts; whoever signed in longest ago makes room', () => {
    const people = Array.from({ length: 6 }, (_, nth) => `person-${nth}@acme.example`);
    const shared = people.reduce((kept, email) => cookieOf(devices.remember(kept, email, at)), '');
    const known = people.map((email) => devices.deviceOf(`a=b; ${shared}`, email, at) !== undefined);
    expect(known).toEqual([false, true, true, true, true, true]);
  });
});
