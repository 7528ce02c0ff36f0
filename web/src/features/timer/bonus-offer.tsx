import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bonusChallengeQuery } from '../../lib/bonus-challenge.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { Switch } from '../../ui/switch.tsx';
import { type FittingBonus, fittingBonus } from './fitting-bonus.ts';
import styles from './timer.module.css';

/** Whether a log counts for the open bonus challenge: its member decides, and the call names it then (D15). */
export function useBonusOffer(log: { activity: string; minutes: number }) {
  const { data: challenge } = useQuery(bonusChallengeQuery);
  const [isWanted, setIsWanted] = useState(false);
  const bonus = fittingBonus(challenge, log, useNow());
  const isCounted = isWanted && bonus?.isLongEnough === true;
  return { bonus, isWanted, onChange: setIsWanted, counted: isCounted ? bonus : null };
}

/** Says that an open bonus challenge fits, and offers to count the log for it. */
export function BonusOffer({ bonus, isWanted, onChange }: Omit<ReturnType<typeof useBonusOffer>, 'counted'>) {
  const { t } = useLingui();
  if (!bonus) return null;
  if (!bonus.isLongEnough) return <TooShort bonus={bonus} />;
  const title = bonus.title;
  const factor = formatCount(bonus.multiplier);
  return (
    <div className={styles.offer}>
      <Switch
        label={t`Count it for the bonus challenge`}
        hint={t`This log fits “${title}”: its miles count ${factor} times.`}
        isOn={isWanted}
        onChange={onChange}
      />
    </div>
  );
}

function TooShort({ bonus: { title, fewestMinutes, multiplier } }: { bonus: FittingBonus }) {
  const shortest = formatDuration(fewestMinutes);
  const factor = formatCount(multiplier);
  return (
    <p className={styles.offer}>
      <Trans>
        From {shortest} on, this can count for the bonus challenge “{title}”: miles count {factor} times.
      </Trans>
    </p>
  );
}
