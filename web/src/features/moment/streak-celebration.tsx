import { useLingui } from '@lingui/react/macro';
import type { CSSProperties } from 'react';
import { formatCount } from '../../lib/format.ts';
import type { Moment } from '../../lib/moment.ts';
import { Button } from '../../ui/button.tsx';
import { lanternsFor, type Milestone } from './facts.ts';
import { lanternBox, lanternRoad, lanternsOf } from './lanterns.ts';
import { Badges } from './log-celebration.tsx';
import type { MomentParts } from './moment.tsx';
import styles from './moment.module.css';
import { ShareButton } from './share-button.tsx';

/** The night of a great streak: a lantern for every day of it, or for every week from sixty days on. */
export function StreakCelebration({
  milestone,
  moment,
  parts,
  name,
  onEnd,
}: {
  milestone: Milestone;
  moment: Moment;
  parts: MomentParts;
  name: string;
  onEnd: () => void;
}) {
  const { t } = useLingui();
  const days = formatCount(milestone);
  return (
    <>
      <Button variant="glass" size="small" className={styles.skip} onClick={onEnd}>
        {t`Skip`}
      </Button>
      <p className={styles.moon}>
        <Moon />
        <span>
          <b>{days}</b>
          {t`days in a row`}
        </span>
      </p>
      <div className={styles.words}>
        <p className={styles.title}>{moment.title}</p>
        <h2>{t`${days} days on the road, ${name}`}</h2>
        <p>{moment.sentence}</p>
        <p>{milestone < 60 ? t`One lantern for every day.` : t`One lantern for every week.`}</p>
        <Badges parts={parts} />
      </div>
      <Lanterns count={lanternsFor(milestone)} />
      <div className={styles.go}>
        <Button variant="light" onClick={onEnd}>{t`Continue`}</Button>
      </div>
      <ShareButton moment={moment} milestone={milestone} />
    </>
  );
}

const craters = [
  [62, 58, 17],
  [152, 132, 21],
  [58, 152, 11],
  [146, 52, 9],
  [106, 178, 7],
] as const;

const Moon = () => (
  <svg viewBox="0 0 200 200" aria-hidden="true">
    <circle cx="100" cy="100" r="100" className={styles.disc} />
    {craters.map(([x, y, radius]) => (
      <circle key={x} cx={x} cy={y} r={radius} className={styles.crater} />
    ))}
  </svg>
);

type LanternStyle = CSSProperties & Record<'--nth', number>;

function Lanterns({ count }: { count: number }) {
  return (
    <svg
      className={styles.lanterns}
      viewBox={`0 0 ${lanternBox.width} ${lanternBox.height}`}
      preserveAspectRatio="xMidYMax meet"
      overflow="visible"
      aria-hidden="true"
    >
      <defs>
        <radialGradient id="halo">
          <stop offset="0" stopOpacity=".55" />
          <stop offset="1" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path className={styles.floor} d="M-1600 8H2000V460H-1600Z" />
      <path className={styles.nightRoad} d={lanternRoad()} />
      {lanternsOf(count).map(({ x, y, size }, nth) => {
        const style: LanternStyle = { '--nth': (nth * 30) / count };
        const top = y - size * 1.7;
        return (
          <g key={`${x} ${y}`} style={style}>
            <circle cx={x} cy={top} r={size * 2.9} fill="url(#halo)" />
            <path className={styles.post} d={`M${x} ${y}V${top}`} strokeWidth={Math.max(0.6, size * 0.16)} />
            <circle className={styles.lamp} cx={x} cy={top} r={size * 0.62} />
          </g>
        );
      })}
    </svg>
  );
}
