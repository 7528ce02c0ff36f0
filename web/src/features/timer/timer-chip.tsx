import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { Pause, Timer } from 'lucide-react';
import { Hidden } from '../../ui/text.tsx';
import { formatElapsed } from './run.ts';
import styles from './timer-chip.module.css';
import { useRun, useTouches } from './use-run.ts';

/** A run under way stays in sight on every other screen, and leads back to its own. */
export function TimerChip() {
  const { t } = useLingui();
  const path = useLocation({ select: (location) => location.pathname });
  const { run, isRunning, isForgotten, seconds, touch } = useRun();
  useTouches(isRunning, touch);
  if (!run || path === '/timer') return null;
  const Icon = isRunning ? Timer : Pause;
  const state = isRunning ? run.activity : t`Paused`;
  return (
    <nav className={styles.place} aria-label={t`Running timer`}>
      <Link to="/timer" className={styles.chip} data-paused={!isRunning}>
        <Icon size={20} aria-hidden="true" />
        <Hidden>{t`Back to the timer`}</Hidden>
        <span className={styles.time}>{formatElapsed(seconds)}</span>
        <span className={styles.activity}>{isForgotten ? t`Still moving?` : state}</span>
      </Link>
    </nav>
  );
}
