import type { Purpose } from './provider.ts';

/** Of a window: what the platform grants the app, what it says was used, and when it ends. */
export type Usage = { readonly limit: number; readonly used: number };
export type Told = { readonly fifteenMinutes: readonly Usage[]; readonly day: readonly Usage[] };

const minute = 60_000;
export const quotaWindows = [
  { name: 'fifteen-minutes', milliseconds: 15 * minute },
  { name: 'day', milliseconds: 24 * 60 * minute },
] as const;

/** What an app may ask that nobody has told us the limits of: Strava's defaults for reading. */
export const firstLimits = [100, 1_000] as const;

/** A fifth is kept for what the platform tells us of, and of the rest a quarter for people who wait. */
export const shares: Readonly<Record<Purpose, number>> = { notice: 1, person: 0.8, background: 0.6 };

/** A clock that is ahead of the platform's must not spend the next window's calls in this one. */
export const lateMilliseconds = 2_000;

/** Windows begin at :00, :15, :30 and :45, days at 00:00, both UTC. */
export function windowAt(now: number, milliseconds: number): { nth: number; leftMilliseconds: number } {
  const late = now - lateMilliseconds;
  const nth = Math.floor(late / milliseconds);
  return { nth, leftMilliseconds: (nth + 1) * milliseconds - late };
}

const pair = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/;

/** `X-RateLimit-Limit: 200,2000` beside `X-RateLimit-Usage: 14,260`, and the same for reading. Undefined: it says nothing. */
export function toldBy(header: (name: string) => string | null): Told | undefined {
  const kinds = ['x-ratelimit', 'x-readratelimit'].flatMap((kind) => {
    const limits = pair.exec(header(`${kind}-limit`) ?? '');
    const usages = pair.exec(header(`${kind}-usage`) ?? '');
    return limits && usages ? [{ limits, usages }] : [];
  });
  if (kinds.length === 0) return undefined;
  const of = (nth: 1 | 2) =>
    kinds.map(({ limits, usages }) => ({ limit: Number(limits[nth]), used: Number(usages[nth]) }));
  return { fifteenMinutes: of(1), day: of(2) };
}
