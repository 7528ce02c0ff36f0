import { expect, test } from 'vitest';
import { fieldAt, isSameAddress, timeZonesWith } from './fields.ts';

test('[D39] every zone can be chosen once, in order, and the chosen one even where the browser does not know it', () => {
  const zones = timeZonesWith('Mars/Olympus_Mons').map(({ value }) => value);
  expect(zones).toContain('Mars/Olympus_Mons');
  expect(zones).toContain('UTC');
  expect(zones).toEqual([...new Set(zones)].toSorted());
  expect(timeZonesWith('Europe/Berlin')).toHaveLength(timeZonesWith('UTC').length);
  expect(timeZonesWith('UTC')).toContainEqual({ value: 'America/New_York', label: 'America/New York' });
});

test('[D39] one address, however it is written, is one', () => {
  expect(isSameAddress(' Maya@Example.org', 'maya@example.org ')).toBe(true);
  expect(isSameAddress('maya@example.org', 'maya@example.com')).toBe(false);
});

test('[D38] what the server refuses of a field that the form lacks stands at none', () => {
  expect(fieldAt('profile.email')).toBe('profile.email');
  expect(fieldAt('profile')).toBeUndefined();
});
