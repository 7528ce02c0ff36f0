import type { OwnLog } from '@caravan/contracts/http/movement';

/** What one did in a calendar year; miles are exact to two decimals. */
export type Year = {
  miles: number;
  activities: number;
  /** Days with at least one log. */
  activeDays: number;
  minutes: number;
  /** Twelve, January first. */
  milesByMonth: readonly number[];
};

/** @param logs of one year */
export function yearOf(logs: readonly Pick<OwnLog, 'distanceMiles' | 'durationMinutes' | 'loggedOn'>[]): Year {
  const centimilesByMonth = Array.from({ length: 12 }, () => 0);
  const days = new Set<string>();
  let minutes = 0;
  for (const { distanceMiles, durationMinutes, loggedOn } of logs) {
    const month = Number(loggedOn.slice(5, 7)) - 1;
    centimilesByMonth[month] = (centimilesByMonth[month] ?? 0) + Math.round(distanceMiles * 100);
    days.add(loggedOn);
    minutes += durationMinutes;
  }
  return {
    miles: centimilesByMonth.reduce((sum, centimiles) => sum + centimiles, 0) / 100,
    activities: logs.length,
    activeDays: days.size,
    minutes,
    milesByMonth: centimilesByMonth.map((centimiles) => centimiles / 100),
  };
}
