import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Plus, Tent } from 'lucide-react';
import type { CSSProperties } from 'react';
import { formatLocalDate } from '../../lib/dates.ts';
import { useDistance } from '../../lib/units.ts';
import { Hidden } from '../text.tsx';
import styles from './seven-days.module.css';
import type { Stone } from './stones.ts';

type StoneStyle = CSSProperties & Record<'--share', number>;

/** The week as seven milestones: as high as the miles of the day. Today without movement leads to the timer. */
export function SevenDays({
  stones,
  ground = 'scene',
  grown,
  className,
}: {
  stones: readonly Stone[];
  ground?: 'scene' | 'paper';
  /** The date whose stone has just grown. */
  grown?: string | undefined;
  className?: string | undefined;
}) {
  const { t } = useLingui();
  return (
    <ol
      className={clsx(styles.stones, ground === 'paper' && styles.paper, className)}
      aria-label={t`Your week, day by day`}
    >
      {stones.map((stone) => {
        const style: StoneStyle = { '--share': stone.share };
        return (
          <li
            key={stone.on}
            className={clsx(styles[stone.state], stone.isToday && styles.today, stone.on === grown && styles.grown)}
            style={style}
          >
            <Mark stone={stone} />
            <span className={styles.day} aria-hidden="true">
              {stone.isToday ? t`Today` : formatLocalDate(stone.on, { weekday: 'short' })}
            </span>
            <Hidden>
              <Sentence stone={stone} />
            </Hidden>
          </li>
        );
      })}
    </ol>
  );
}

function Mark({ stone: { state, miles } }: { stone: Stone }) {
  const { t } = useLingui();
  const { figure } = useDistance();
  if (state === 'due')
    return (
      <Link to="/timer" className={styles.stone} aria-label={t`Move today: start the timer`}>
        <Plus size={22} aria-hidden="true" />
      </Link>
    );
  return (
    <span className={styles.stone} aria-hidden="true">
      {state === 'moved' && <b>{figure(miles)}</b>}
      {state === 'rest' && <Tent size={20} />}
    </span>
  );
}

/** The day in words, for those who do not see its stone. */
function Sentence({ stone: { on, state, miles } }: { stone: Stone }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const day = formatLocalDate(on, { weekday: 'long' });
  const walked = figure(miles);
  if (state === 'moved') return t`${day}: ${walked} ${long}`;
  if (state === 'rest') return t`${day}: rest day, streak kept`;
  if (state === 'due') return t`${day}: nothing yet`;
  return state === 'missed' ? t`${day}: no movement` : t`${day}: to come`;
}
