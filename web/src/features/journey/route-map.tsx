import type { Journey, Route } from '@caravan/contracts/http/journeys';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useMemo } from 'react';
import { useIsWide } from '../../lib/media.ts';
import { outlinesQuery } from './api.ts';
import { drawMap, sizeFor, type View } from './drawing.ts';
import styles from './map.module.css';

type Drawn = ReturnType<typeof drawMap>;

/** The route on its land. A picture: what it shows stands in words and tables beside it. */
export function RouteMap({
  label,
  route: { id, checkpoints },
  teams,
  ownTeamId,
  view,
}: {
  /** What there is to see, in a sentence. */
  label: string;
  route: Pick<Route, 'id' | 'checkpoints'>;
  teams: Journey['teams'];
  ownTeamId: string | null;
  view: View;
}) {
  const size = sizeFor(useIsWide());
  const { data: outlines = null } = useQuery(outlinesQuery(id));
  const drawn = useMemo(
    () => drawMap({ checkpoints, teams, ownTeamId, view, outlines, size }),
    [checkpoints, teams, ownTeamId, view, outlines, size],
  );
  return (
    <svg className={styles.map} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      <path className={styles.land} d={drawn.land} />
      <path className={styles.borders} d={drawn.borders} />
      <path className={styles.halo} d={drawn.ahead} />
      <path className={styles.ahead} d={drawn.ahead} />
      <path className={styles.behind} d={drawn.behind} />
      <Stops stops={drawn.stops} />
      {drawn.labels.map(({ name, x, y, anchor }) => (
        <text key={name} className={styles.town} x={x} y={y} textAnchor={anchor}>
          {name}
        </text>
      ))}
      {drawn.bubbles.toReversed().map((bubble) => (
        <Bubble key={bubble.id} bubble={bubble} />
      ))}
    </svg>
  );
}

function Stops({ stops }: { stops: Drawn['stops'] }) {
  const goal = stops.find(({ isGoal }) => isGoal);
  return (
    <>
      {stops.map(({ name, x, y, isReached }) => (
        <circle key={name} cx={x} cy={y} r={isReached ? 6 : 5.5} className={isReached ? styles.passed : styles.stop} />
      ))}
      {goal && <path className={styles.flag} d={`M${goal.x} ${goal.y - 5}v-22l15 5.5-15 5.5`} />}
    </>
  );
}

function Bubble({ bubble: { emoji, name, isOwn, x, y, at } }: { bubble: Drawn['bubbles'][number] }) {
  return (
    <g className={clsx(styles.team, isOwn && styles.own)}>
      <path className={styles.stem} d={`M${at.x} ${at.y}L${x} ${y}`} />
      <circle cx={x} cy={y} r={3.5} className={styles.foot} />
      <circle cx={at.x} cy={at.y} r={17} className={styles.bubble} />
      <text x={at.x} y={at.y + 6} textAnchor="middle" fontSize={17}>
        {emoji}
      </text>
      <title>{name}</title>
    </g>
  );
}
