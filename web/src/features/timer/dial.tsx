import { Plural, useLingui } from '@lingui/react/macro';
import type { CSSProperties } from 'react';
import { formatCount, formatDuration } from '../../lib/format.ts';
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

const minutesOfAMile = 10;

/** The time, readable from afar, and below it the mile one is on: ten minutes of road to the next one. */
export function Dial({ purpose, seconds, isPaused }: { purpose: Purpose; seconds: number; isPaused: boolean }) {
  const { t } = useLingui();
  const { exactly, long } = useDistance();
  const multiplier = isDoubled(purpose) ? 2 : 1;
  const miles = milesSoFar(seconds) * multiplier;
  const time = formatElapsed(seconds);
  const wholeMiles = Math.floor(milesSoFar(seconds)) * multiplier;
  const drawing = drawingOfActivity(purpose.activity);
  const reached = formatCount(wholeMiles);
  const coming = formatCount(wholeMiles + multiplier);
  return (
    <div className={styles.dial} data-paused={isPaused}>
      <p className={styles.activity} aria-hidden="true">
        {drawing && <Draw drawing={drawing} size={24} />}
        {purpose.activity}
      </p>
      <p role="timer" aria-live="off" className={styles.time} data-long={time.length > 6} aria-label={t`Elapsed time`}>
        {time}
      </p>
      <p className={styles.miles}>
        <b>{exactly(miles)}</b> {long}
      </p>
      <div className={styles.mile}>
        <MinuteBars share={shareOfMile(seconds)} />
        <p className={styles.next}>
          <span aria-hidden="true">{t`Mile ${reached}`}</span>
          <b>{isPaused ? t`Paused` : t`Next mile in ${secondsToNextMile(seconds)} seconds`}</b>
          <span aria-hidden="true">{t`Mile ${coming}`}</span>
        </p>
      </div>
      <Hidden>
        <span aria-live="polite">
          {wholeMiles > 0 && <Plural value={wholeMiles} one="# mile earned" other="# miles earned" />}
        </span>
      </Hidden>
    </div>
  );
}

type MinuteStyle = CSSProperties & Record<'--filled', string>;

/** Ten minutes as ten pieces of road, the running one filling. @param share of the mile, 0 to 1 */
const MinuteBars = ({ share }: { share: number }) => (
  <ol className={styles.minutes} aria-hidden="true">
    {Array.from({ length: minutesOfAMile }, (_, nth) => {
      const filled = Math.min(1, Math.max(0, share * minutesOfAMile - nth));
      const style: MinuteStyle = { '--filled': `${filled * 100}%` };
      return <li key={nth} style={style} />;
    })}
  </ol>
);

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
