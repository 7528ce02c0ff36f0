import type { ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Check, CircleCheck, Gift, Users } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { Ring } from '../../ui/charts/ring.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-state.ts';
import { challengeProgressQuery, useClaim } from './api.ts';
import { shareOf } from './challenge.ts';
import styles from './weekly-challenges.module.css';

/** One challenge of the week. */
export function ChallengeRow({ challenge }: { challenge: WeeklyChallenge }) {
  const { t } = useLingui();
  const { brief, short } = useDistance();
  const progress = useQuery(challengeProgressQuery(challenge.id));
  const bonus = brief(challenge.bonusMiles);
  const isDone = progress.data?.bonusAwarded === true;
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h3>{challenge.name}</h3>
          {challenge.challengeType === 'team' && (
            <Tag>
              <Users size={14} aria-hidden="true" />
              {t`Team challenge`}
            </Tag>
          )}
        </div>
        {isDone ? (
          <Tag tone="good">
            <CircleCheck size={14} aria-hidden="true" />
            {t`Completed`}
          </Tag>
        ) : (
          <Tag tone="gain">{t`+${bonus} ${short}`}</Tag>
        )}
      </div>
      <p className={styles.description}>{challenge.description}</p>
      {progress.data && <Standing challenge={challenge} progress={progress.data} />}
      {!progress.data && !progress.isError && <Skeleton height={30} />}
      {progress.isError && (
        <p className={styles.lost}>
          <Trans>Your progress could not be loaded.</Trans>{' '}
          <Button variant="plain" size="small" onClick={() => void progress.refetch()}>
            {t`Try again`}
          </Button>
        </p>
      )}
    </li>
  );
}

function Standing({ challenge, progress }: { challenge: WeeklyChallenge; progress: ChallengeProgress }) {
  const amount = useAmount(challenge, progress.currentProgress);
  const [isFresh, setIsFresh] = useState(false);
  const share = shareOf(progress.currentProgress, challenge.targetValue);
  const isReached = share >= 1;
  const isDone = isReached || progress.bonusAwarded;
  return (
    <>
      <div className={styles.ring}>
        <Ring label={challenge.name} share={share} valueText={amount} isDone={isDone}>
          {isDone ? (
            <Check size={22} strokeWidth={3} />
          ) : (
            <InRing challenge={challenge} current={progress.currentProgress} />
          )}
        </Ring>
      </div>
      <div className={styles.foot}>
        <span className={styles.amount}>{amount}</span>
        {progress.bonusAwarded && <Done isFresh={isFresh} />}
        {isReached && !progress.bonusAwarded && <Claim challenge={challenge} onClaimed={() => setIsFresh(true)} />}
      </div>
    </>
  );
}

/** The text inside the ring: '3/5' for small targets, the number alone for large ones. */
function InRing({ challenge: { targetUnit, targetValue }, current }: { challenge: WeeklyChallenge; current: number }) {
  const { figure } = useDistance();
  if (targetUnit === 'miles') return figure(current);
  const isSmall = targetValue < 10;
  return isSmall ? `${formatCount(current)}/${formatCount(targetValue)}` : formatCount(current);
}

/**
 * Right after the claim the focus comes here, because the button is gone; the live stream may have taken it away before
 * the answer came. Who has gone on to something else stays there.
 */
function Done({ isFresh }: { isFresh: boolean }) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isFresh && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [isFresh]);
  return (
    <p className={styles.done} tabIndex={-1} ref={element}>
      {isFresh && <Flourish />}
      <Trans>Challenge completed! Bonus miles awarded.</Trans>
    </p>
  );
}

function Claim({ challenge, onClaimed }: { challenge: WeeklyChallenge; onClaimed: () => void }) {
  const { t } = useLingui();
  const { brief, long } = useDistance();
  const bonusMiles = brief(challenge.bonusMiles);
  const claim = useClaim(challenge.id, (isCompleted) => {
    if (!isCompleted)
      return toast({ title: t`Not there yet`, description: t`Your progress has changed since this page was loaded.` });
    onClaimed();
    return toast({
      title: t`Challenge Completed! 🎉`,
      description: t`You earned +${bonusMiles} bonus ${long}!`,
      tone: 'good',
    });
  });
  const tell = () => toast({ title: t`Error`, description: t`Failed to complete challenge`, tone: 'error' });
  return (
    <Button size="small" isBusy={claim.isPending} onClick={() => claim.mutate(undefined, { onError: tell })}>
      <Gift size={18} aria-hidden="true" />
      {t`Claim Bonus Miles!`}
    </Button>
  );
}

const sparks = Array.from({ length: 12 }, (_, index) => index);

/** A handful of sparks, once, when something was won; nothing of it where motion is not wanted. */
const Flourish = () => (
  <span className={styles.flourish} aria-hidden="true">
    {sparks.map((index) => (
      <i key={index} style={{ '--turn': `${(index * 360) / sparks.length}deg` } as CSSProperties} />
    ))}
  </span>
);

/** How far one is, in words and in the reader's units: '3 of 4 days', '3.2 of 5 miles'. */
function useAmount({ targetUnit, targetValue }: WeeklyChallenge, current: number): string {
  const { t } = useLingui();
  const { figure, brief, long } = useDistance();
  const isDistance = targetUnit === 'miles';
  const done = isDistance ? figure(current) : formatCount(current);
  const target = isDistance ? brief(targetValue) : formatCount(targetValue);
  switch (targetUnit) {
    case 'miles':
      return t`${done} of ${target} ${long}`;
    case 'days':
      return t`${done} of ${target} ${plural(targetValue, { one: 'day', other: 'days' })}`;
    case 'activities':
      return t`${done} of ${target} ${plural(targetValue, { one: 'activity', other: 'activities' })}`;
    case 'minutes':
      return t`${done} of ${target} ${plural(targetValue, { one: 'minute', other: 'minutes' })}`;
  }
}
