import clsx from 'clsx';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { hillPaths, hillsBox, starsOf } from './hills.ts';
import styles from './scene.module.css';

type SceneProps = ComponentProps<'section'> & {
  /** Which hills are drawn; the same screen always has the same ones. */
  seed: number;
  /** The sun's place and size come from the screen's own class; rays: it is high and the week's goal is reached. */
  sun?: { className?: string | undefined; hasRays?: boolean } | null;
  /** Stars at night; always: a scene that is night by day too. */
  stars?: 'by-night' | 'always';
  children: ReactNode;
};

/** Sky, sun and hills in the organisation's colours: the one hero of a screen. Text stands on the sky or on the land. */
export function Scene({ seed, sun = {}, stars = 'by-night', className, children, ...rest }: SceneProps) {
  return (
    <section {...rest} className={clsx(styles.scene, className)}>
      <Stars isAlways={stars === 'always'} />
      {sun && (
        <span className={clsx(styles.sun, sun.className)} aria-hidden="true">
          {sun.hasRays && <Rays />}
        </span>
      )}
      <Hills seed={seed} />
      {children}
    </section>
  );
}

/** Covers the bottom of its scene; `--hills` is its height. */
export function Hills({ seed, className }: { seed: number; className?: string | undefined }) {
  const { far, middle, near } = hillPaths(seed);
  return (
    <svg
      className={clsx(styles.hills, className)}
      viewBox={`0 0 ${hillsBox.width} ${hillsBox.height}`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <path className={styles.far} d={far} />
      <path className={styles.middle} d={middle} />
      <path className={styles.near} d={near} />
    </svg>
  );
}

type StarStyle = CSSProperties & Record<'--size', string>;

export function Stars({
  isAlways = false,
  count = 26,
  seed = 5,
}: {
  isAlways?: boolean;
  count?: number;
  seed?: number;
}) {
  return (
    <span className={clsx(styles.stars, isAlways && styles.always)} aria-hidden="true">
      {starsOf(count, seed).map(({ x, y, size }) => {
        const style: StarStyle = { left: `${x}%`, top: `${y}%`, '--size': `${size}px` };
        return <i key={`${x} ${y}`} style={style} />;
      })}
    </span>
  );
}

const rays = Array.from({ length: 16 }, (_, nth) => ({
  turn: nth * 22.5,
  from: nth % 2 ? -66 : -64,
  to: nth % 2 ? -78 : -90,
}));

const Rays = () => (
  <svg viewBox="-100 -100 200 200">
    {rays.map(({ turn, from, to }) => (
      <path key={turn} d={`M0 ${from}V${to}`} transform={`rotate(${turn})`} />
    ))}
  </svg>
);
