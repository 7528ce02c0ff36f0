import { useLingui } from '@lingui/react/macro';
import { type ComponentType, useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { useNow } from '../../lib/now.ts';
import { goneOf, type PhotoChoiceProps } from '../../lib/photos.ts';
import { Button } from '../../ui/button.tsx';
import { MomentField } from '../../ui/date-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { ActivityChoice } from './activity-choice.tsx';
import type { Log } from './api.ts';
import { BonusOffer, useBonusOffer } from './bonus-offer.tsx';
import { DetailFields, Refusal, SendLog, detailsToSend } from './log-form.tsx';
import { isTold, type LogDetails } from './run.ts';
import { SavedEarlier, useSendLog } from './send-log.tsx';
import styles from './timer.module.css';

const fewestMinutes = 10;
const mostMinutes = 1440;
const furthestBackDays = 7;
const minuteMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** A movement that no timer saw (D7). */
export function ManualLog({
  PhotoChoice,
  onDone,
}: {
  PhotoChoice: ComponentType<PhotoChoiceProps>;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const { inField, ofField } = useDates();
  // The form may stay open for hours.
  const now = useNow();
  const [activity, setActivity] = useState('Walking');
  const [minutes, setMinutes] = useState('30');
  const [startedAt, setStartedAt] = useState('');
  const [details, setDetails] = useState<LogDetails>({});
  // A photo arrives later than it was asked for: what was typed meanwhile stays.
  const detail = (part: LogDetails) => setDetails((latest) => ({ ...latest, ...part }));
  const { photo = null } = details;
  const log = useSendLog('manual-log', onDone, () => photo && detail({ photo: goneOf(photo) }));
  const durationMinutes = Number(minutes);
  const { counted, ...offer } = useBonusOffer({ activity, minutes: durationMinutes });
  const refuse = () => {
    if (minutes.trim() === '' || !Number.isInteger(durationMinutes))
      return t`Duration must be a whole number of minutes`;
    if (durationMinutes < fewestMinutes) return t`Duration must be at least 10 minutes`;
    return durationMinutes > mostMinutes ? t`Duration must be at most 1440 minutes` : undefined;
  };
  const refusal = refuse();
  const isComplete = !refusal && isTold(details);
  const instant = ofField(startedAt);
  const body = (): Log => ({
    activityType: activity,
    durationMinutes,
    source: 'manual',
    ...detailsToSend(details),
    ...(counted && { bonusChallengeId: counted.challengeId }),
    ...(instant !== undefined && { startedAt: instant }),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) log.send(body());
      }}
    >
      <ActivityChoice activity={activity} onChoose={setActivity} />
      <TextField
        label={t`Minutes`}
        type="number"
        inputMode="numeric"
        min={fewestMinutes}
        max={mostMinutes}
        value={minutes}
        error={refusal}
        onChange={(event) => setMinutes(event.target.value)}
      />
      <BonusOffer {...offer} />
      <MomentField
        label={t`Started`}
        hint={t`Leave it empty if you have just finished. At most 7 days back.`}
        min={inField(now - furthestBackDays * dayMilliseconds)}
        max={inField(now + minuteMilliseconds)}
        value={startedAt}
        onValue={setStartedAt}
      />
      <DetailFields purpose="manual" details={details} PhotoChoice={PhotoChoice} onDetails={detail} />
      <Refusal text={log.refusal} />
      {log.saved ? (
        <SavedEarlier
          log={log.saved.log}
          isBusy={log.isPending}
          onAnother={() => isComplete && log.sendAnother(body())}
          onLeave={log.saved.leave}
        />
      ) : (
        <div className={styles.actions}>
          <Button variant="quiet" onClick={onDone}>{t`Cancel`}</Button>
          <SendLog photo={photo} isBusy={log.isPending} disabled={!isComplete} />
        </div>
      )}
    </form>
  );
}
