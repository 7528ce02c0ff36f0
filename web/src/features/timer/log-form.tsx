import { centimilesOf, milesOf } from '@caravan/contracts/miles';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { ActivityChoice } from './activity-choice.tsx';
import { useLogMovement } from './api.ts';
import styles from './timer.module.css';
import { formatElapsed, wholeMinutes } from './run.ts';

const longestDescription = 2000;

type LogFormProps = {
  seconds: number;
  /** When the movement began; milliseconds since 1970. */
  startedAt: number;
  activity: string;
  onActivity: (activity: string) => void;
  bonusChallengeId: string | undefined;
  onCancel: () => void;
  onLogged: () => void;
};

/** What the timer ends in: a look at what one did, a few words about it, and off it goes (2.70). */
export function LogForm({
  seconds,
  startedAt,
  activity,
  onActivity,
  bonusChallengeId,
  onCancel,
  onLogged,
}: LogFormProps) {
  const { t } = useLingui();
  const { units, figure } = useDistance();
  const [description, setDescription] = useState('');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const log = useSendLog(onLogged);
  const durationMinutes = wholeMinutes(seconds);
  const submit = () => {
    if (description.trim() === '') {
      toast({
        title: t`Photo or Description Required`,
        description: t`Please either upload a photo or describe your workout.`,
        tone: 'error',
      });
      return;
    }
    log.send({
      idempotencyKey,
      activityType: activity,
      durationMinutes,
      source: 'timer',
      startedAt: new Date(startedAt).toISOString(),
      photoPrompt: description,
      ...(bonusChallengeId !== undefined && { bonusChallengeId }),
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
      <Card>
        <dl className={styles.summary}>
          <div>
            <dt>{t`Duration`}</dt>
            <dd>{formatElapsed(seconds)}</dd>
          </div>
          <div>
            <dt>{units === 'metric' ? t`Kilometers earned` : t`Miles earned`}</dt>
            <dd className={styles.earned}>
              {figure(milesOf(centimilesOf(durationMinutes, bonusChallengeId ? 2 : 1)))}
            </dd>
          </div>
        </dl>
      </Card>
      <ActivityChoice activity={activity} onChoose={onActivity} />
      <Description value={description} onChange={setDescription} />
      <div className={styles.actions}>
        <Button variant="quiet" onClick={onCancel}>{t`Cancel`}</Button>
        <Button type="submit" isBusy={log.isPending} disabled={description.trim() === ''}>{t`Log Activity`}</Button>
      </div>
    </form>
  );
}

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
export function useSendLog(onLogged: () => void) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { figure, long } = useDistance();
  const { mutate, isPending } = useLogMovement();
  const send = (log: Parameters<typeof mutate>[0]) =>
    mutate(log, {
      onSuccess: ({ milesEarned, bonusApplied }) => {
        const earned = t`Great job! You earned ${figure(milesEarned)} ${long} for your team`;
        toast({
          title: bonusApplied ? t`Bonus Challenge Complete!` : t`Activity Logged!`,
          description: bonusApplied ? t`${earned} (x2 BONUS BOOST!)` : earned,
          tone: 'good',
        });
        onLogged();
        void navigate({ to: '/dashboard' });
      },
      onError: () =>
        toast({ title: t`Error`, description: t`Failed to log activity. Please try again.`, tone: 'error' }),
    });
  return { send, isPending };
}
