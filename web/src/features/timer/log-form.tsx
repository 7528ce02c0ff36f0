import type { LogAnswer } from '@caravan/contracts/http/movement';
import { centimilesOf, milesOf } from '@caravan/contracts/miles';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentProps, ComponentType } from 'react';
import { HttpError } from '../../lib/http-error.ts';
import { type FormPhoto, goneOf, isPhotoGone, type PhotoChoiceProps, usable } from '../../lib/photos.ts';
import { useDistance } from '../../lib/units.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { ActivityChoice } from './activity-choice.tsx';
import { useLogMovement } from './api.ts';
import { formatElapsed, isDoubled, isLongerThanALog, isTold, type Purpose, type Run, wholeMinutes } from './run.ts';
import styles from './timer.module.css';

const longestDescription = 2000;

/** What the timer ends in: a look at what one did, a few words about it, and off it goes (2.70). */
export function LogForm({
  run,
  seconds,
  onActivity,
  onDescribe,
  PhotoChoice,
  onPhoto,
  onCancel,
  onLogged,
}: {
  run: Run;
  seconds: number;
  onActivity: (activity: string) => void;
  onDescribe: (description: string) => void;
  PhotoChoice: ComponentType<PhotoChoiceProps>;
  onPhoto: (photo: FormPhoto | null) => void;
  onCancel: () => void;
  onLogged: () => void;
}) {
  const { t } = useLingui();
  // Kept with the run: a reload in the middle of a sentence loses none of it.
  const { description = '', photo = null } = run;
  const log = useSendLog(onLogged, () => photo && onPhoto(goneOf(photo)));
  const submit = () => {
    if (!isTold(run)) {
      toast({
        title: t`Photo or Description Required`,
        description: t`Please either upload a photo or describe your workout.`,
        tone: 'error',
      });
      return;
    }
    log.send({
      // One run is one log, also where the answer to the first try was lost with the page.
      idempotencyKey: `timer-${run.firstStartedAt}`,
      activityType: run.activity,
      durationMinutes: wholeMinutes(seconds),
      source: 'timer',
      startedAt: new Date(run.firstStartedAt).toISOString(),
      ...told(description, photo),
      ...(run.bonus && { bonusChallengeId: run.bonus.challengeId }),
    });
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Summary run={run} seconds={seconds} />
      <ActivityChoice activity={run.activity} onChoose={onActivity} />
      <PhotoChoice purpose="timer" photo={photo} onPhoto={onPhoto} />
      <Description value={description} onChange={onDescribe} />
      <Refusal text={log.refusal} />
      <div className={styles.actions}>
        <Button variant="quiet" onClick={onCancel}>{t`Cancel`}</Button>
        <SendLog photo={photo} isBusy={log.isPending} disabled={!isTold(run)} />
      </div>
    </form>
  );
}

function Summary({ run, seconds }: { run: Run; seconds: number }) {
  const { t } = useLingui();
  const { units, figure } = useDistance();
  const miles = milesOf(centimilesOf(wholeMinutes(seconds), isDoubled(run) ? 2 : 1));
  return (
    <Card>
      <BonusMark purpose={run} />
      <dl className={styles.summary}>
        <div>
          <dt>{t`Duration`}</dt>
          <dd>{formatElapsed(seconds)}</dd>
        </div>
        <div>
          <dt>{units === 'metric' ? t`Kilometers earned` : t`Miles earned`}</dt>
          <dd className={styles.earned}>{figure(miles)}</dd>
        </div>
      </dl>
      {isLongerThanALog(seconds) && <p className={styles.hint}>{t`A log holds a day at most: 24 hours will count.`}</p>}
    </Card>
  );
}

/** What a log says and shows; what is not there is not sent. */
export function told(description: string, photo: FormPhoto | null) {
  const photoPath = usable(photo)?.objectPath;
  return {
    ...(description.trim() !== '' && { photoPrompt: description }),
    ...(photoPath !== undefined && { photoPath }),
  };
}

/** Says when it goes without the photo that one had added. */
export function SendLog({
  photo,
  ...rest
}: {
  photo: FormPhoto | null;
} & Pick<ComponentProps<typeof Button>, 'isBusy' | 'disabled'>) {
  const { t } = useLingui();
  return (
    <Button type="submit" {...rest}>
      {photo?.isGone ? t`Log without the photo` : t`Log Activity`}
    </Button>
  );
}

/** What the server has against a log, in its words. */
export const Refusal = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p role="alert" className={styles.refusal}>
      {text}
    </p>
  );

export function Description({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui();
  return (
    <TextArea
      label={t`Describe your workout`}
      hint={t`Your team reads it in the feed.`}
      maxLength={longestDescription}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Sends a log and says what came of it; after a success one lands on the dashboard. */
export function useSendLog(onLogged: () => void, onPhotoGone: () => void) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const { figure, long } = useDistance();
  const { mutate, isPending, error } = useLogMovement();
  const send = (log: Parameters<typeof mutate>[0]) =>
    mutate(log, {
      // The specification's answer holds the miles only: a bonus that is not refused has counted (3.33).
      onSuccess: ({ milesEarned, bonusReason, ...answer }: Partial<LogAnswer>) => {
        const { bonusApplied = bonusReason === undefined && log.bonusChallengeId !== undefined } = answer;
        const earned = t`Great job! You earned ${figure(milesEarned ?? Number.NaN)} ${long} for your team`;
        const refused = bonusReason === undefined ? '' : i18n._(bonusRefusal(bonusReason));
        toast({
          title: bonusApplied ? t`Bonus Challenge Complete!` : t`Activity Logged!`,
          description: bonusApplied ? t`${earned} (x2 BONUS BOOST!)` : refused ? `${earned}. ${refused}` : earned,
          tone: 'good',
        });
        onLogged();
        // In place of the timer: the way back must not lead to an address that starts it again.
        void navigate({ to: '/dashboard', replace: true });
      },
      onError: (error) => {
        if (isPhotoGone(error)) onPhotoGone();
        toast({ title: t`Error`, description: t`Failed to log activity. Please try again.`, tone: 'error' });
      },
    });
  // That the photo is gone stands where it was.
  return { send, isPending, refusal: isPhotoGone(error) ? null : refusalOf(error) };
}

/** A field is not valid; or the photo belongs to another log. */
const rightable = [422, 404, 409];

/** Only what can be put right is worth reading; that a call failed the notice says. */
const refusalOf = (error: Error | null): string | null =>
  (error instanceof HttpError && rightable.includes(error.status) && error.problem?.message) || null;

/** Says that this run doubles its miles, or why it does not (4.29). */
export function BonusMark({ purpose }: { purpose: Purpose }) {
  const { t } = useLingui();
  if (!purpose.bonus) return null;
  const { activity } = purpose.bonus;
  if (!isDoubled(purpose)) return <Tag>{t`The bonus challenge counts for ${activity} only`}</Tag>;
  return (
    <p className={styles.bonus}>
      <b className={styles.double}>x2</b> {t`Bonus challenge: miles count double`}
    </p>
  );
}

const refusals: Record<string, MessageDescriptor> = {
  'bonus/closed': msg`The bonus challenge had already ended, so your miles count once.`,
  'bonus/other-activity': msg`The bonus challenge was for another activity, so your miles count once.`,
  'bonus/too-short': msg`That was too short for the bonus challenge, so your miles count once.`,
  'bonus/already-completed': msg`You had completed the bonus challenge before, so your miles count once.`,
};

const unknown = msg`The bonus challenge could not be found, so your miles count once.`;

/** Why a bonus that was named did not apply, in words (D15, D40). @param code of the answer's `bonusReason` */
export const bonusRefusal = (code: string): MessageDescriptor => refusals[code] ?? unknown;
