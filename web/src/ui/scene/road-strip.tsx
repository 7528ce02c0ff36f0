import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { drawingOfLandmark, type Landmark } from './landmarks.ts';
import { dotsAhead, placeOn, roadHeightAt, roadPath, type RoadSpan, shareOn } from './road.ts';
import styles from './road-strip.module.css';

export type RoadStop = {
  /** Mile mark on the route. */
  at: number;
  name: string;
  /** How far it is, or that it is reached. */
  note?: ReactNode;
  landmark?: Landmark;
};
export type Traveller = { id: string; emoji: string; miles: number };

type RoadStripProps = {
  span: RoadSpan;
  own: Traveller;
  others?: readonly Traveller[];
  stops: readonly RoadStop[];
  /** Miles that were just gained: that piece of the road is lit, and a ring stands where the own team was. */
  gained?: number;
  /** scene: light on the land; paper: in a card. */
  ground?: 'scene' | 'paper';
  /** mini: one line of it in a card, without names. */
  size?: 'normal' | 'mini';
  className?: string | undefined;
};

/**
 * A piece of the route between two stops: one dot ahead is one mile, and what is behind the own team is solid. The ground
 * stretches with its box; what stands on it keeps its size. Decoration: a sentence beside it says the same.
 */
export function RoadStrip({
  span,
  own,
  others = [],
  stops,
  gained = 0,
  ground = 'scene',
  size = 'normal',
  className,
}: RoadStripProps) {
  const at = Math.min(1, shareOn(span, own.miles));
  const before = Math.max(0, shareOn(span, own.miles - gained));
  return (
    <div
      className={clsx(styles.road, ground === 'paper' && styles.paper, size === 'mini' && styles.mini, className)}
      aria-hidden="true"
    >
      <svg className={styles.ground} viewBox="0 0 1000 100" preserveAspectRatio="none">
        <path className={styles.soil} d={`${roadPath(0, 1)}V100H0Z`} />
        <path className={styles.bed} d={roadPath(0, 1)} />
        <path className={styles.ahead} d={dotsAhead(span, own.miles)} />
        {at > 0 && <path className={styles.behind} d={roadPath(0, at)} />}
        {gained > 0 && <path className={styles.gained} d={roadPath(before, at)} />}
      </svg>
      {stops.map((stop) => (
        <Stop key={stop.at} stop={stop} span={span} isPassed={stop.at <= own.miles} isNamed={size === 'normal'} />
      ))}
      {others.filter(isWithin(span)).map(({ id, emoji, miles }) => (
        <div key={id} className={styles.pin} style={placeOn(span, miles)}>
          <em>{emoji}</em>
        </div>
      ))}
      {gained > 0 && <div className={clsx(styles.pin, styles.ghost)} style={placeOn(span, own.miles - gained)} />}
      <div className={clsx(styles.pin, styles.own)} style={ownPlace(span, own.miles, gained)}>
        <em>{own.emoji}</em>
      </div>
    </div>
  );
}

const isWithin =
  (span: RoadSpan) =>
  ({ miles }: Traveller): boolean => {
    const share = shareOn(span, miles);
    return share > 0.02 && share < 0.98;
  };

type OwnStyle = CSSProperties & Partial<Record<'--from-left' | '--from-top', string>>;

/** Where the own pin stands, and where it comes from when it has just moved. */
function ownPlace(span: RoadSpan, miles: number, gained: number): OwnStyle {
  const place = placeOn(span, Math.min(miles, span.to));
  if (gained === 0) return place;
  const share = Math.max(0, shareOn(span, miles - gained));
  return {
    ...place,
    '--from-left': `${(share * 100).toFixed(2)}%`,
    '--from-top': `${roadHeightAt(share).toFixed(2)}%`,
  };
}

/** A name near an edge leans away from it. */
function sideOf(share: number): string | undefined {
  if (share > 0.7) return styles.atEnd;
  return share < 0.3 ? styles.atStart : undefined;
}

function Stop({
  stop: { at, name, note, landmark },
  span,
  isPassed,
  isNamed,
}: {
  stop: RoadStop;
  span: RoadSpan;
  isPassed: boolean;
  isNamed: boolean;
}) {
  const share = shareOn(span, at);
  return (
    <div className={clsx(styles.stop, isPassed && styles.passed, sideOf(share))} style={placeOn(span, at)}>
      {landmark && (
        <svg className={styles.landmark} viewBox="0 0 44 40">
          <path fillRule="evenodd" d={drawingOfLandmark(landmark)} />
        </svg>
      )}
      <i />
      {isNamed && (
        <p>
          <b>
            <bdi>{name}</bdi>
          </b>
          {note && <span>{note}</span>}
        </p>
      )}
    </div>
  );
}
