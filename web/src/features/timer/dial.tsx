import { Plural, useLingui } from '@lingui/react/macro';
import { formatDuration } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { drawingOfActivity } from '../../ui/activity-drawings.ts';
import { Draw } from '../../ui/drawing.tsx';
import { Hidden } from '../../ui/text.tsx';
import styles from './dial.module.css';
import {
  coveredMiles,
  formatElapsed,
  isDoubled,
  milesSoFar,
  type Purpose,
  secondsToNextMile,
  shareOfMile,
  wholeMinutes,
} from './run.ts';

const radius = 92;
const circumference = 2 * Math.PI * radius;

/** The time, and around it the mile one is on: a lap of the trail. */
export function Dial({ purpose, seconds, isPaused }: { purpose: Purpose; seconds: number; isPaused: boolean }) {
  const { t } = useLingui();
  const { exactly, long } = useDistance();
  const multiplier = isDoubled(purpose) ? 2 : 1;
  const miles = milesSoFar(seconds) * multiplier;
  const time = formatElapsed(seconds);
  const share = shareOfMile(seconds);
  const angle = share * 2 * Math.PI - Math.PI / 2;
  const wholeMiles = Math.floor(milesSoFar(seconds)) * multiplier;
  const drawing = drawingOfActivity(purpose.activity);
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
        <span className={styles.emblem}>{drawing && <Draw drawing={drawing} size={34} />}</span>
        <p
          role="timer"
          aria-live="off"
          className={styles.time}
          data-long={time.length > 7}
          aria-label={t`Elapsed time`}
        >
          {time}
        </p>
        <p className={styles.miles}>
          <b>{exactly(miles)}</b> {long}
        </p>
        <p className={styles.next}>{isPaused ? t`Paused` : t`Next mile in ${secondsToNextMile(seconds)} seconds`}</p>
      </div>
      <Hidden>
        <span aria-live="polite">
          {wholeMiles > 0 && <Plural value={wholeMiles} one="# mile earned" other="# miles earned" />}
        </span>
      </Hidden>
    </div>
  );
}

/** The way covered is an estimate by pace (9.2); what counts are the minutes. Below it what one set out to do. */
export function Pace({
  purpose: { activity, targetMinutes },
  seconds,
  isIdle,
}: {
  purpose: Purpose;
  seconds: number;
  isIdle: boolean;
}) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const goal = formatDuration(targetMinutes ?? 0);
  const isThere = targetMinutes !== null && wholeMinutes(seconds) >= targetMinutes;
  return (
    <div className={styles.pace}>
      {!isIdle && <p>{t`About ${figure(coveredMiles(activity, seconds))} ${long} covered on the way`}</p>}
      {targetMinutes !== null && <p aria-live="polite">{isThere ? t`Goal of ${goal} reached` : t`Goal: ${goal}`}</p>}
    </div>
  );
}
