import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { chasePlaces } from './chase-places.ts';
import styles from './chase.module.css';

type Runner = {
  id: string;
  face: ReactNode;
  /** Miles ahead of oneself, negative behind. */
  milesAhead: number;
  /** Below the face. */
  label: string;
  isOwn: boolean;
};

type PlaceStyle = CSSProperties & Record<'--place', string>;
const placeStyle = (share: number): PlaceStyle => ({ '--place': `${(share * 100).toFixed(1)}%` });

/** Those next to one on a road, the last one first. Decoration: who is how far away stands in words beside it. */
export function Chase({ runners }: { runners: readonly Runner[] }) {
  const places = chasePlaces(runners.map(({ milesAhead }) => milesAhead));
  const own = places[runners.findIndex(({ isOwn }) => isOwn)] ?? 0.5;
  return (
    <div className={styles.chase} aria-hidden="true">
      <i className={styles.way} style={placeStyle(own)} />
      {runners.map(({ id, face, label, isOwn }, nth) => (
        <span key={id} className={clsx(styles.runner, isOwn && styles.own)} style={placeStyle(places[nth] ?? 0)}>
          {face}
          <small>{label}</small>
        </span>
      ))}
    </div>
  );
}
