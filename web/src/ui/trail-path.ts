/** A cubic Bézier curve: start, two handles, end. */
type Curve = readonly [Point, Point, Point, Point];
export type Point = readonly [x: number, y: number];

/** The way of every trail: over a rise, through a dip, up to the goal; in a box of 320 × 44. */
const curves: readonly Curve[] = [
  [
    [4, 32],
    [64, -4],
    [104, 54],
    [162, 26],
  ],
  [
    [162, 26],
    [220, -2],
    [260, 4],
    [308, 22],
  ],
];

export const trailBox = { width: 320, height: 44 } as const;

const pair = ([x, y]: Point) => `${x} ${y}`;

export const trailPath = curves
  .map(
    ([start, one, two, end], index) => `${index === 0 ? `M${pair(start)}` : ''}C${[one, two, end].map(pair).join(' ')}`,
  )
  .join('');

function pointOn([start, one, two, end]: Curve, t: number): Point {
  const s = 1 - t;
  const along = (axis: 0 | 1) =>
    s ** 3 * start[axis] + 3 * s ** 2 * t * one[axis] + 3 * s * t ** 2 * two[axis] + t ** 3 * end[axis];
  return [along(0), along(1)];
}

const samplesPerCurve = 64;

const samples: readonly { point: Point; walked: number }[] = curves
  .flatMap((curve, index) =>
    Array.from({ length: samplesPerCurve + (index === 0 ? 1 : 0) }, (_, step) =>
      pointOn(curve, (step + (index === 0 ? 0 : 1)) / samplesPerCurve),
    ),
  )
  .reduce<{ point: Point; walked: number }[]>((done, point) => {
    const before = done.at(-1);
    const step = before ? Math.hypot(point[0] - before.point[0], point[1] - before.point[1]) : 0;
    return [...done, { point, walked: (before?.walked ?? 0) + step }];
  }, []);

/** Where on the trail one is after a share of its length. @param share 0 to 1 */
export function pointAt(share: number): Point {
  const wanted = Math.min(1, Math.max(0, share)) * (samples.at(-1)?.walked ?? 0);
  return (samples.find(({ walked }) => walked >= wanted - 0.001) ?? samples.at(-1))?.point ?? [0, 0];
}
