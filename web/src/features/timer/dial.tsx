import { useLingui } from '@lingui/react/macro';
import { useDistance } from '../../lib/units.ts';
import { Hidden } from '../../ui/hidden.tsx';
import styles from './dial.module.css';
import { formatElapsed, milesSoFar, secondsToNextMile, shareOfMile } from './run.ts';

const radius = 92;
const circumference = 2 * Math.PI * radius;

/** The time, and around it the mile one is on: a lap of the trail. */
export function Dial({ seconds, isPaused, isBonus }: { seconds: number; isPaused: boolean; isBonus: boolean }) {
  const { t } = useLingui();
  const { exactly, long } = useDistance();
  const miles = milesSoFar(seconds) * (isBonus ? 2 : 1);
  const share = shareOfMile(seconds);
  const angle = share * 2 * Math.PI - Math.PI / 2;
  const wholeMiles = Math.floor(milesSoFar(seconds));
  return (
    <div className={styles.dial} data-paused={isPaused}>
      <svg viewBox="0 0 220 220" aria-hidden="true">
        <circle cx={110} cy={110} r={radius} className={styles.ahead} />
        <circle
          cx={110}
          cy={110}
          r={radius}
          className={styles.behind}
          strokeDasharray={`${share * circumference} ${circumference}`}
          transform="rotate(-90 110 110)"
          visibility={share === 0 ? 'hidden' : undefined}
        />
        <circle
          cx={110 + radius * Math.cos(angle)}
          cy={110 + radius * Math.sin(angle)}
          r={11}
          className={styles.walker}
        />
      </svg>
      <div className={styles.face}>
        <p role="timer" aria-live="off" className={styles.time} aria-label={t`Elapsed time`}>
          {formatElapsed(seconds)}
        </p>
        <p className={styles.miles}>
          <b>{exactly(miles)}</b> {long}
        </p>
        <p className={styles.next}>{isPaused ? t`Paused` : t`Next mile in ${secondsToNextMile(seconds)} seconds`}</p>
      </div>
      <Hidden>
        <span aria-live="polite">{wholeMiles > 0 ? t`${wholeMiles} miles earned` : ''}</span>
      </Hidden>
    </div>
  );
}
