import { customMinutesPerMile, presetActivities } from '@caravan/contracts/activities';
import { useLingui } from '@lingui/react/macro';
import { formatDuration } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { wholeMinutes, type Purpose } from './run.ts';
import styles from './timer.module.css';

/** The way covered is an estimate by pace (9.2); what counts are the minutes. Below it what one set out to do. */
export function Pace({ purpose: { activity, targetMinutes }, seconds }: { purpose: Purpose; seconds: number }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const pace = presetActivities.find(({ name }) => name === activity)?.minutesPerMile ?? customMinutesPerMile;
  const goal = formatDuration(targetMinutes ?? 0);
  const isThere = targetMinutes !== null && wholeMinutes(seconds) >= targetMinutes;
  return (
    <div className={styles.pace}>
      <p>{t`About ${figure(seconds / 60 / pace)} ${long} covered on the way`}</p>
      {targetMinutes !== null && <p aria-live="polite">{isThere ? t`Goal of ${goal} reached` : t`Goal: ${goal}`}</p>}
    </div>
  );
}

export function Tips() {
  const { t } = useLingui();
  const tips = [t`Chores count: hoovering is movement.`, t`A pause keeps your time.`, t`Space starts and pauses.`];
  return (
    <ul className={styles.tips} aria-label={t`Tips`}>
      {tips.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  );
}
