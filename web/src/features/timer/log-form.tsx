import { centimilesOf, milesOf } from '@caravan/contracts/domain/movement/miles';
import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ComponentType } from 'react';
import { type FormPhoto, goneOf, type PhotoChoiceProps, usable } from '../../lib/photos.ts';
import { useDistance } from '../../lib/units.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { EffortField } from '../../ui/effort.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Scene } from '../../ui/scene/scene.tsx';
import { toast } from '../../ui/toast-state.ts';
import { ActivityChoice } from './activity-choice.tsx';
import { BonusOffer, useBonusOffer } from './bonus-offer.tsx';
import { PostPreview } from './post-preview.tsx';
import {
  formatElapsed,
  isDoubled,
  isLongerThanALog,
  isTold,
  type LogDetails,
  type Purpose,
  type Run,
  wholeMinutes,
} from './run.ts';
import { SavedEarlier, useSendLog } from './send-log.tsx';
import styles from './timer.module.css';

const longestDescription = 2000;

/** What the timer ends in: a look at what one did, a few words about it, and off it goes (2.70). */
export function LogForm({
  run,
  seconds,
  onActivity,
  PhotoChoice,
  onDetails,
  onCancel,
  onLogged,
}: {
  run: Run;
  seconds: number;
  onActivity: (activity: string) => void;
  PhotoChoice: ComponentType<PhotoChoiceProps>;
  onDetails: (details: LogDetails) => void;
  onCancel: () => void;
  onLogged: () => void;
}) {
  const { t } = useLingui();
  // Kept with the run: a reload in the middle of a sentence loses none of it.
  const { photo = null } = run;
  // One run is one log, also where the answer to the first try was lost with the page.
  const log = useSendLog(`timer-${run.firstStartedAt}`, onLogged, () => photo && onDetails({ photo: goneOf(photo) }));
  const { counted, ...offer } = useBonusOffer({ activity: run.activity, minutes: wholeMinutes(seconds) });
  const bonusChallengeId = run.bonus?.challengeId ?? counted?.challengeId;
  const multiplier = isDoubled(run) ? 2 : (counted?.multiplier ?? 1);
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
      activityType: run.activity,
      durationMinutes: wholeMinutes(seconds),
      source: 'timer',
      startedAt: new Date(run.firstStartedAt).toISOString(),
      ...detailsToSend(run),
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
      <div className={styles.columns}>
        <Card className={styles.fields}>
          {!run.bonus && <BonusOffer {...offer} />}
          <ActivityChoice activity={run.activity} onChoose={onActivity} />
          <DetailFields purpose="timer" details={run} PhotoChoice={PhotoChoice} onDetails={onDetails} />
          <Refusal text={log.refusal} />
          {log.saved ? (
            <SavedEarlier log={log.saved.log} isBusy={log.isPending} onLeave={log.saved.leave} />
          ) : (
            <div className={styles.actions}>
              <Button variant="soft" onClick={onCancel}>{t`Cancel`}</Button>
              <SendLog photo={photo} isBusy={log.isPending} disabled={!isTold(run)} />
            </div>
          )}
        </Card>
        <div className={styles.outcome}>
          <Summary run={run} seconds={seconds} multiplier={multiplier} />
          <PostPreview run={run} miles={milesOf(centimilesOf(wholeMinutes(seconds), multiplier))} />
        </div>
      </div>
    </form>
  );
}

function Summary({ run, seconds, multiplier }: { run: Run; seconds: number; multiplier: number }) {
  const { t } = useLingui();
  const { units, figure } = useDistance();
  const miles = milesOf(centimilesOf(wholeMinutes(seconds), multiplier));
  return (
    <Scene seed={7} className={styles.sum} sun={{ className: styles.sumSun }} aria-label={t`Your log`}>
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
    </Scene>
  );
}

/** What a log says and shows; what is not there is not sent. */
export function detailsToSend({ description = '', photo, perceivedEffort }: LogDetails) {
  const photoPath = usable(photo)?.objectPath;
  return {
    ...(description.trim() !== '' && { photoPrompt: description }),
    ...(photoPath !== undefined && { photoPath }),
    ...(perceivedEffort !== undefined && { perceivedEffort }),
  };
}

/** The fields for what a log says and shows. */
export function DetailFields({
  purpose,
  details,
  PhotoChoice,
  onDetails,
}: {
  purpose: string;
  details: LogDetails;
  PhotoChoice: ComponentType<PhotoChoiceProps>;
  onDetails: (details: LogDetails) => void;
}) {
  const { t } = useLingui();
  const { description = '', photo = null, perceivedEffort } = details;
  return (
    <>
      <PhotoChoice purpose={purpose} photo={photo} onPhoto={(next) => onDetails({ photo: next ?? undefined })} />
      <TextArea
        label={t`Describe your workout`}
        hint={t`Your team reads it in the feed.`}
        maxLength={longestDescription}
        value={description}
        onChange={(event) => onDetails({ description: event.target.value })}
      />
      <EffortField value={perceivedEffort} onChange={(effort) => onDetails({ perceivedEffort: effort })} />
    </>
  );
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
