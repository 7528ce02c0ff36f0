import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Clock, Play } from 'lucide-react';
import { bonusChallengeQuery } from '../../lib/bonus-challenge.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { useDistance } from '../../lib/units.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Hidden } from '../../ui/text.tsx';
import styles from './bonus-card.module.css';
import { timeLeft } from './challenge.ts';

const usualMinutes = 30;
const usualActivity = 'Walking';

/** The challenge that multiplies miles while it is open; nothing where there is none (4.18). */
export function BonusCard() {
  const { data: challenge } = useQuery(bonusChallengeQuery);
  return challenge?.isActive ? <OpenBonus challenge={challenge} /> : null;
}

function OpenBonus({ challenge }: { challenge: BonusChallenge }) {
  const { t } = useLingui();
  const left = timeLeft(challenge.expiresAt, useNow());
  const factor = formatCount(challenge.multiplier);
  return (
    <Card
      className={styles.ticket}
      anchor="bonus-challenge"
      title={
        <>
          <span className={styles.kind}>{t`Bonus challenge`}</span> {challenge.title}
        </>
      }
    >
      <p className={styles.factor}>
        <Hidden>{t`Miles count ${factor} times`}</Hidden>
        <span aria-hidden="true">x{factor}</span>
      </p>
      <p className={styles.description}>{challenge.description}</p>
      <Facts challenge={challenge} left={left} />
      {challenge.isCompleted ? (
        <p className={styles.completed}>
          <CircleCheck size={22} aria-hidden="true" />
          <Trans>Completed! Your miles counted {factor} times.</Trans>
        </p>
      ) : (
        left && <StartLink challenge={challenge} />
      )}
    </Card>
  );
}

function Facts({ challenge, left }: { challenge: BonusChallenge; left: ReturnType<typeof timeLeft> }) {
  const { t } = useLingui();
  const { brief, short } = useDistance();
  const { activityType, targetDurationMinutes, targetDistanceMiles } = challenge;
  const miles = targetDistanceMiles ? brief(targetDistanceMiles) : null;
  const hours = formatCount(left?.hours ?? 0);
  const minutes = formatCount(left?.minutes ?? 0);
  return (
    <p className={styles.facts}>
      <Tag>{activityType || usualActivity}</Tag>
      <Tag>{formatDuration(targetDurationMinutes || usualMinutes)}</Tag>
      {miles !== null && <Tag>{t`${miles} ${short}`}</Tag>}
      <span className={styles.countdown}>
        <Clock size={16} aria-hidden="true" />
        {left ? t`Ends in ${hours}h ${minutes}m` : t`Expired`}
      </span>
    </p>
  );
}

/** To the timer, which starts at once; what the challenge does not say falls back to 30 minutes of walking (2.67). */
function StartLink({ challenge }: { challenge: BonusChallenge }) {
  const { t } = useLingui();
  const activity = challenge.activityType || usualActivity;
  return (
    <Button asChild className={styles.start}>
      <Link
        to="/timer"
        search={{
          preset: 'true',
          duration: String(challenge.targetDurationMinutes || usualMinutes),
          activity,
          bonusChallenge: challenge.id,
        }}
      >
        <Play size={20} aria-hidden="true" />
        {t`Start ${activity}`}
      </Link>
    </Button>
  );
}
