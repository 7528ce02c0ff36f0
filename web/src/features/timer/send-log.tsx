import type { LogAnswer } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { formatDuration } from '../../lib/format.ts';
import { HttpError, serverMessage } from '../../lib/http-error.ts';
import { showMoment } from '../../lib/moment.ts';
import { isPhotoGone } from '../../lib/photos.ts';
import { sourceWords } from '../../lib/source-words.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { type Log, useChangeLog, useLogMovement } from './api.ts';
import { bonusRefusal } from './fitting-bonus.ts';
import { changesSince } from './saved-log.ts';
import styles from './timer.module.css';

/** The log of an earlier attempt, whose answer had been lost while its form was changed. */
type SavedLog = { readonly log: Log; readonly answer: Partial<LogAnswer> };

/**
 * Sends a log and says what came of it; after a success one lands on the dashboard.
 * @param act of `sendOnce`: what is logged once
 */
export function useSendLog(act: string, onLogged: () => void, onPhotoGone: () => void) {
  const { t } = useLingui();
  const { mutate, isPending, error } = useLogMovement();
  const change = useChangeLog();
  const say = useSay(onLogged);
  const [saved, setSaved] = useState<SavedLog>();
  const handleFailure = (refusal: Error) => {
    if (isPhotoGone(refusal)) onPhotoGone();
    toast({ title: t`Error`, description: t`Failed to log activity. Please try again.`, tone: 'error' });
  };
  const send = (body: Log) => {
    setSaved(undefined);
    mutate(
      { act, body },
      {
        onSuccess: ({ answer, request, isEarlier }) => {
          const isChanged = isEarlier && Object.keys(changesSince(request.body, body)).length > 0;
          if (isChanged) setSaved({ log: request.body, answer });
          else say.showLogged(request.body, answer);
        },
        onError: handleFailure,
      },
    );
  };
  const addChanges = (body: Log, { log, answer: { id = '' } }: SavedLog) =>
    change.mutate(
      { path: { id }, body: changesSince(log, body) },
      { onSuccess: say.showCorrected, onError: handleFailure },
    );
  const refusal = change.error ?? error;
  return {
    /** Sends the form: as a log, or as changes to the log that an earlier attempt has saved. */
    send: (body: Log) => (saved ? addChanges(body, saved) : send(body)),
    sendAnother: send,
    isPending: isPending || change.isPending,
    saved: saved && { log: saved.log, leave: () => say.showLogged(saved.log, saved.answer) },
    // That the photo is gone stands where it was.
    refusal: isPhotoGone(refusal) ? null : refusalOf(refusal),
  };
}

function useSay(onLogged: () => void) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const { figure, long } = useDistance();
  const sameWorkout = useSameWorkout();
  const { dateOf } = useDates();
  const leave = () => {
    onLogged();
    // In place of the timer: the way back must not lead to an address that starts it again.
    void navigate({ to: '/dashboard', replace: true });
  };
  return {
    // The specification's answer holds the miles only: a bonus that is not refused has counted (3.33).
    showLogged: (log: Log, { milesEarned, bonusReason, ...answer }: Partial<LogAnswer>) => {
      const { bonusApplied = bonusReason === undefined && log.bonusChallengeId !== undefined } = answer;
      const earned = answer.sameAs
        ? sameWorkout(answer.sameAs)
        : t`Great job! You earned ${figure(milesEarned ?? Number.NaN)} ${long} for your team`;
      const refused = bonusReason === undefined || answer.sameAs ? '' : i18n._(bonusRefusal(bonusReason));
      const title = bonusApplied ? t`Bonus Challenge Complete!` : t`Activity Logged!`;
      const withoutBonus = refused ? `${earned}. ${refused}` : earned;
      const sentence = bonusApplied ? t`${earned} (x2 BONUS BOOST!)` : withoutBonus;
      // A log that earns nothing is told of in passing; one that earns miles has its moment.
      if (answer.sameAs || !milesEarned) toast({ title, description: sentence, tone: 'good' });
      else showMoment({ title, sentence, miles: milesEarned, on: dateOf(log.startedAt ?? Date.now()), at: Date.now() });
      leave();
    },
    showCorrected: () => {
      toast({ title: t`Log corrected`, description: t`Your miles follow.`, tone: 'good' });
      leave();
    },
  };
}

/** Why a log earns nothing: the same workout already counts by another one, which is named (D25). */
function useSameWorkout(): (sameAs: NonNullable<LogAnswer['sameAs']>) => string {
  const { t, i18n } = useLingui();
  const { formatDate } = useDates();
  return ({ activityType, source, startedAt }) => {
    const words = sourceWords(source);
    const from = words ? i18n._(words) : source;
    const at = formatDate(startedAt, { hour: 'numeric', minute: '2-digit' });
    return t`It earns no miles, because the same workout already counts: ${activityType} from ${from}, ${at}. Your profile can change that.`;
  };
}

/** A field is not valid; or the photo belongs to another log. */
const rightable = [422, 404, 409];

/** Only what can be put right is worth reading; that a call failed the notice says. */
const refusalOf = (error: Error | null): string | null =>
  (error instanceof HttpError && rightable.includes(error.status) && serverMessage(error, '')) || null;

/** Says that the log of an earlier attempt is saved, and asks what becomes of the changes since. */
export function SavedEarlier({
  log,
  isBusy,
  onAnother,
  onLeave,
}: {
  log: Log;
  isBusy: boolean;
  /** Absent where there is but one log to make. */
  onAnother?: () => void;
  onLeave: () => void;
}) {
  const { t } = useLingui();
  const duration = formatDuration(log.durationMinutes);
  return (
    <div className={styles.saved}>
      <p role="alert">
        {t`Your first try was saved: ${log.activityType}, ${duration}. Your changes since then are not in it yet.`}
      </p>
      <Button type="submit" isBusy={isBusy}>{t`Add my changes to it`}</Button>
      {onAnother && <Button variant="quiet" disabled={isBusy} onClick={onAnother}>{t`Log this as another one`}</Button>}
      <Button variant="plain" disabled={isBusy} onClick={onLeave}>{t`Leave it as it is`}</Button>
    </div>
  );
}
