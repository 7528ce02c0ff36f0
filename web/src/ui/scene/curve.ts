export type Point = readonly [x: number, y: number];

/** One decimal: a picture that stretches over a screen needs no more. */
export const roundTenth = (value: number): number => Math.round(value * 10) / 10;

const textOf = ([x, y]: Point): string => `${roundTenth(x)} ${roundTenth(y)}`;

/** An SVG path through the points without corners (Catmull-Rom as Bézier curves). */
export function smoothPath(points: readonly Point[]): string {
  const [first] = points;
  if (!first) return '';
  let path = `M${textOf(first)}`;
  for (const [nth, point] of points.entries()) {
    const next = points[nth + 1];
    if (!next) break;
    const before = points[nth - 1] ?? point;
    const after = points[nth + 2] ?? next;
    const leaving = textOf([point[0] + (next[0] - before[0]) / 6, point[1] + (next[1] - before[1]) / 6]);
    const arriving = textOf([next[0] - (after[0] - point[0]) / 6, next[1] - (after[1] - point[1]) / 6]);
    path += `C${leaving} ${arriving} ${textOf(next)}`;
  }
  return path;
}
