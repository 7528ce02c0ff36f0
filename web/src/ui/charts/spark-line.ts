import { type Point, roundTenth } from '../scene/curve.ts';

export const sparkBox = { width: 120, height: 44 } as const;

/** A small line of values, the latest at the right end; equal values are a level line. */
export function sparkPoints(values: readonly number[]): Point[] {
  const lowest = Math.min(...values);
  const spread = Math.max(...values) - lowest || 1;
  const { width, height } = sparkBox;
  return values.map((value, nth) => [
    roundTenth(4 + (nth * (width - 8)) / Math.max(1, values.length - 1)),
    roundTenth(height - 5 - ((value - lowest) / spread) * (height - 10)),
  ]);
}
