import { expect, test } from 'vitest';
import { timeZonesWith } from './time-zones.ts';

test('[D39] every zone can be chosen once, in order, and the chosen one even where the browser does not know it', () => {
  const zones = timeZonesWith('Mars/Olympus_Mons').map(({ value }) => value);
  expect(zones).toContain('Mars/Olympus_Mons');
  expect(zones).toContain('UTC');
  expect(zones).toEqual([...new Set(zones)].toSorted());
  expect(timeZonesWith('Europe/Berlin')).toHaveLength(timeZonesWith('UTC').length);
  expect(timeZonesWith('UTC')).toContainEqual({ value: 'America/New_York', label: 'America/New York' });
});
