import clsx from 'clsx';
import { Flag } from 'lucide-react';
import styles from './trail.module.css';

/** A cubic Bézier curve: start, two handles, end. */
type Curve = readonly [Point, Point, Point, Point];
type Point = readonly [x: number, y: number];

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

const trailBox = { width: 320, height: 44 } as const;

const pair = ([x, y]: Point) => `${x} ${y}`;

const trailPath = curves
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
function pointAt(share: number): Point {
  const wanted = Math.min(1, Math.max(0, share)) * (samples.at(-1)?.walked ?? 0);
  return (samples.find(({ walked }) => walked >= wanted - 0.001) ?? samples.at(-1))?.point ?? [0, 0];
}

const box = `0 0 ${trailBox.width} ${trailBox.height}`;
const pathLength = 100;

type TrailProps = {
  /** What this is the way of: read as the name of the progress. */
  label: string;
  /** 0 to 1; beyond the goal it stays at the goal. */
  share: number;
  /** The progress in words, such as '3.2 of 5.0 miles'. */
  valueText: string;
  stops?: number;
  /** Who travels: an emoji in the bubble; none: a ring. */
  traveller?: string | undefined;
};

/** The product's mark: the way ahead dotted, the way behind solid, stops as rings, and the one who travels. */
export function Trail({ label, share, valueText, stops = 5, traveller }: TrailProps) {
  const reached = Math.min(1, Math.max(0, share));
  const isThere = reached === 1;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(reached * 100)}
      aria-valuetext={valueText}
      className={clsx(styles.trail, isThere && styles.there)}
    >
      <svg viewBox={box} aria-hidden="true">
        <path d={trailPath} className={styles.ahead} />
        <path
          d={trailPath}
          className={styles.behind}
          pathLength={pathLength}
          strokeDasharray={`${reached * pathLength} ${pathLength + 1}`}
          visibility={reached === 0 ? 'hidden' : undefined}
        />
        {stopsOf(stops, reached).map((at) => (
          <Stop key={at} at={at} isPassed={at <= reached} />
        ))}
        {!(isThere && traveller) && <Goal />}
        {!(isThere && !traveller) && <Traveller at={reached} emoji={traveller} />}
      </svg>
    </div>
  );
}

/** Stops between start and goal; the one under the traveller is left out. */
const stopsOf = (count: number, reached: number): number[] =>
  Array.from({ length: count - 1 }, (_, index) => (index + 1) / count).filter((at) => Math.abs(at - reached) > 0.05);

function Stop({ at, isPassed }: { at: number; isPassed: boolean }) {
  const [x, y] = pointAt(at);
  return <circle cx={x} cy={y} r={4.5} className={isPassed ? styles.passed : styles.stop} />;
}

function Goal() {
  const [x, y] = pointAt(1);
  return (
    <g className={styles.goal}>
      <circle cx={x} cy={y} r={11} />
      <Flag x={x - 6.5} y={y - 6.5} width={13} height={13} strokeWidth={2.6} />
    </g>
  );
}

function Traveller({ at, emoji }: { at: number; emoji: string | undefined }) {
  const [radius, least] = emoji ? [13, 0.035] : [8.5, 0.02];
  // At the very start half of the bubble would stand outside the card.
  const offsetDistance = `${Math.max(at, least) * 100}%`;
  return (
    <g
      className={styles.traveller}
      style={{ offsetPath: `path('${trailPath}')`, offsetDistance, offsetRotate: '0deg' }}
    >
      <circle r={radius} />
      {emoji && (
        <text textAnchor="middle" y={5} fontSize={14}>
          {emoji}
        </text>
      )}
    </g>
  );
}

/** The beginning of a trail, for what is still empty. */
export function FirstSteps() {
  return (
    <svg className={styles.first} viewBox="0 0 160 44" width={160} height={44} aria-hidden="true">
      <path d="M14 30C44 6 72 42 104 22S138 14 146 16" className={styles.ahead} />
      <circle cx={14} cy={30} r={8.5} className={styles.me} />
      <circle cx={80} cy={30.2} r={4.5} className={styles.stop} />
      <circle cx={146} cy={16} r={4.5} className={styles.stop} />
    </svg>
  );
}
