import { spreadApart } from './spread.ts';

/** Shares of the road, so that the outer faces stay on it, and what a face takes of it. */
const road = { low: 0.09, high: 0.91, gap: 0.2 } as const;

/**
 * Where somebody and those next to them stand on a road, 0 to 1: to scale as far as faces do not cover each other.
 * @param milesAhead of each, those behind first; one's own is 0
 */
export function chasePlaces(milesAhead: readonly number[]): number[] {
  const last = milesAhead[0] ?? 0;
  const first = milesAhead.at(-1) ?? 0;
  const length = first - last;
  const shares = milesAhead.map((miles) =>
    length > 0 ? road.low + ((miles - last) / length) * (road.high - road.low) : 0.5,
  );
  return spreadApart(shares, road).map((share) => Math.round(share * 1000) / 1000);
}
