import { productActivities } from '@caravan/contracts/domain/movement/activities';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { type ComponentType, useId, useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { formatDuration } from '../../lib/format.ts';
import { fieldRefusals, serverMessage } from '../../lib/http-error.ts';
import { isPhotoGone, type PhotoChoiceProps } from '../../lib/photos.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { MomentField } from '../../ui/date-field.tsx';
import { EffortField } from '../../ui/effort.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useCorrectLog, useRemoveLog } from './api.ts';
import { correctionOf, type Draft, draftOf, withoutChosenPhoto } from './correction.ts';
import styles from './logs.module.css';

const longest = { activity: 60, description: 2000 };

/** What was logged wrongly is put right, in the server's words where it refuses. */
export function CorrectLog({
  log,
  PhotoChoice,
  onClose,
}: {
  log: OwnLog;
  PhotoChoice: ComponentType<PhotoChoiceProps>;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { inField, ofField } = useDates();
  const [before, setBefore] = useState(() => draftOf(log, inField));
  const [isSavedEarlier, setSavedEarlier] = useState(false);
  const [draft, setDraft] = useState(before);
  const { mutate, isPending, error } = useCorrectLog(log.id);
  const body = correctionOf(before, draft, ofField);
  const isSame = Object.keys(body).length === 0;
  const refusals = fieldRefusals(error);
  const save = () =>
    mutate(body, {
      onSuccess: ({ answer, isEarlier }) => {
        setSavedEarlier(isEarlier);
        if (isEarlier) return setBefore(draftOf(answer, inField));
        toast({ title: t`Log corrected`, description: t`Your miles follow.`, tone: 'good' });
        onClose();
      },
      onError: (refused) => isPhotoGone(refused) && setDraft((latest) => withoutChosenPhoto(before, latest)),
    });
  return (
    <Dialog isOpen title={t`Correct your log`} onOpenChange={(isOpen) => isOpen || onClose()}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame) save();
        }}
      >
        <Fields
          draft={draft}
          onDraft={(part) => setDraft((latest) => ({ ...latest, ...part }))}
          refusalOf={(field) => refusals.find(({ path }) => path === field)?.message}
        />
        <PhotoChoice
          purpose={`log-${log.id}`}
          photo={draft.photo}
          onPhoto={(photo) => setDraft((latest) => ({ ...latest, photo }))}
        />
        {error && refusals.length === 0 && !isPhotoGone(error) && (
          <p role="alert" className={styles.refusal}>
            {serverMessage(error, t`The log could not be corrected. Please try again.`)}
          </p>
        )}
        {isSavedEarlier && (
          <p role="alert">{t`Your first correction was saved. Save again to add what you changed since then.`}</p>
        )}
        <div className={styles.ends}>
          <Button variant="quiet" onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" isBusy={isPending} disabled={isSame}>{t`Save`}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function Fields({
  draft,
  onDraft,
  refusalOf,
}: {
  draft: Draft;
  onDraft: (part: Partial<Draft>) => void;
  /** By the field's name in the request. */
  refusalOf: (field: string) => string | undefined;
}) {
  const { t } = useLingui();
  const activities = useId();
  return (
    <>
      <TextField
        label={t`Activity`}
        list={activities}
        maxLength={longest.activity}
        value={draft.activityType}
        error={refusalOf('activityType')}
        onChange={({ target }) => onDraft({ activityType: target.value })}
      />
      <datalist id={activities}>
        {productActivities.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label={t`Minutes`}
        type="number"
        inputMode="numeric"
        step={1}
        value={draft.minutes}
        error={refusalOf('durationMinutes')}
        onChange={({ target }) => onDraft({ minutes: target.value })}
      />
      <MomentField
        label={t`Started`}
        value={draft.startedAt}
        error={refusalOf('startedAt')}
        onValue={(startedAt) => onDraft({ startedAt })}
      />
      <TextArea
        label={t`Description`}
        maxLength={longest.description}
        value={draft.caption}
        error={refusalOf('photoPrompt')}
        onChange={({ target }) => onDraft({ caption: target.value })}
      />
      <EffortField value={draft.perceivedEffort} onChange={(perceivedEffort) => onDraft({ perceivedEffort })} />
    </>
  );
}

/** There is no way back from here, so it says what goes with the log. */
export function RemoveLog({ log, onClose, onRemoved }: { log: OwnLog; onClose: () => void; onRemoved: () => void }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const { mutate, isPending } = useRemoveLog();
  const duration = formatDuration(log.durationMinutes);
  const remove = () =>
    mutate(log.id, {
      onSuccess: () => {
        toast({ title: t`Log deleted`, description: t`Your miles follow.`, tone: 'good' });
        onClose();
        onRemoved();
      },
      onError: (error) => {
        const description = serverMessage(error, t`The log could not be deleted. Please try again.`);
        toast({ title: t`Error`, description, tone: 'error' });
        onClose();
      },
    });
  return (
    <Confirm
      title={t`Delete this log?`}
      description={t`${duration} of ${log.activityType} and the ${figure(log.distanceMiles)} ${long} it earned go, with its post in the feed and whatever rested on it. This cannot be undone.`}
      action={t`Delete`}
      isBusy={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
