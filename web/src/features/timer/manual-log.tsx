import { useLingui } from '@lingui/react/macro';
import { type ComponentType, useState } from 'react';
import { type FormPhoto, goneOf, type PhotoChoiceProps } from '../../lib/photos.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ActivityChoice } from './activity-choice.tsx';
import { Description, Refusal, SendLog, told, useSendLog } from './log-form.tsx';
import { isTold } from './run.ts';
import styles from './timer.module.css';

const [fewestMinutes, mostMinutes] = [10, 1440];
const furthestBackDays = 7;
const dayMilliseconds = 86_400_000;

/** `YYYY-MM-DDThh:mm` as a date-and-time field wants it, by the browser's clock. */
const inField = (instant: number) => {
  const local = new Date(instant - new Date(instant).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
};

/** A movement that no timer saw (D7). */
export function ManualLog({
  PhotoChoice,
  onDone,
}: {
  PhotoChoice: ComponentType<PhotoChoiceProps>;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const [openedAt] = useState(() => Date.now());
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [activity, setActivity] = useState('Walking');
  const [minutes, setMinutes] = useState('30');
  const [startedAt, setStartedAt] = useState('');
  const [description, setDescription] = useState('');
  const [photo, setPhoto] = useState<FormPhoto | null>(null);
  const isNothingTold = !isTold({ description, photo: photo ?? undefined });
  const log = useSendLog(onDone, () => setPhoto(photo && goneOf(photo)));
  const durationMinutes = Number(minutes);
  const refusal =
    minutes.trim() === '' || !Number.isInteger(durationMinutes)
      ? t`Duration must be a whole number of minutes`
      : durationMinutes < fewestMinutes
        ? t`Duration must be at least 10 minutes`
        : durationMinutes > mostMinutes
          ? t`Duration must be at most 1440 minutes`
          : undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal || isNothingTold) return;
        log.send({
          idempotencyKey,
          activityType: activity,
          durationMinutes,
          source: 'manual',
          ...told(description, photo),
          ...(startedAt && { startedAt: new Date(startedAt).toISOString() }),
        });
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
      <TextField
        label={t`Started`}
        type="datetime-local"
        hint={t`Leave it empty if you have just finished. At most 7 days back.`}
        min={inField(openedAt - furthestBackDays * dayMilliseconds)}
        max={inField(openedAt)}
        value={startedAt}
        onChange={(event) => setStartedAt(event.target.value)}
      />
      <PhotoChoice purpose="manual" photo={photo} onPhoto={setPhoto} />
      <Description value={description} onChange={setDescription} />
      <Refusal text={log.refusal} />
      <div className={styles.actions}>
        <Button variant="quiet" onClick={onDone}>{t`Cancel`}</Button>
        <SendLog photo={photo} isBusy={log.isPending} disabled={Boolean(refusal) || isNothingTold} />
      </div>
    </form>
  );
}
