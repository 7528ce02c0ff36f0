import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { Flag, Flame, HeartPulse, MapPin, MessageSquare, Sparkles, ThumbsUp } from 'lucide-react';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { PersonName, RelativeTime } from '../../ui/text.tsx';
import styles from './activity.module.css';
import { EntryPicture } from './entry-picture.tsx';
import { Caption, type ThreadOf } from './posts.tsx';
import { ReactionButtons } from './reactions.tsx';

type CardProps = {
  activity: ActivityFeedItem;
  /** Shows what could stand here (2.101). */
  isExample?: boolean;
  /** One does not cheer for oneself (2.90). */
  isReadOnly?: boolean;
  threadOf?: ThreadOf | undefined;
};

/** One activity (2.98): who and of which team, what, how far and how long, where, and what others made of it. */
export const ActivityCard = ({ activity, isExample = false, isReadOnly = isExample, threadOf }: CardProps) => (
  <article>
    {activity.checkpoint ? (
      <Card className={styles.reached}>
        <Checkpoint activity={activity} checkpoint={activity.checkpoint} />
        <Counts activity={activity} isReadOnly threadOf={threadOf} />
      </Card>
    ) : (
      <Movement activity={activity} isExample={isExample} isReadOnly={isReadOnly} threadOf={threadOf} />
    )}
  </article>
);

function Movement({ activity, isExample = false, isReadOnly = false, threadOf }: CardProps) {
  const { t } = useLingui();
  const { isBonusChallenge, photoPrompt, userName } = activity;
  return (
    <Card className={clsx(styles.card, isBonusChallenge && styles.bonus)}>
      {isBonusChallenge && (
        <p className={styles.ribbon}>
          <Sparkles size={16} aria-hidden="true" />
          {t`Bonus challenge: double miles`}
        </p>
      )}
      <Head activity={activity} isExample={isExample} />
      <EntryPicture entry={activity} name={userName} />
      <div className={styles.said}>
        <Facts activity={activity} />
        {photoPrompt && <Caption text={photoPrompt} />}
      </div>
      <Counts activity={activity} isReadOnly={isReadOnly} threadOf={threadOf} />
    </Card>
  );
}

function Head({ activity, isExample }: Pick<CardProps, 'activity' | 'isExample'>) {
  const { t } = useLingui();
  const { userName, userPhotoUrl, profileId, teamEmoji, teamName } = activity;
  return (
    <div className={styles.head}>
      <Avatar name={userName} photoUrl={userPhotoUrl} />
      <div className={styles.who}>
        <b>
          <PersonName profileId={profileId} name={userName} />
        </b>
        <p>
          <span className={styles.team}>
            {teamEmoji} <bdi>{teamName}</bdi>
          </span>
          <RelativeTime at={activity.createdAt} otherwise={activity.timeAgo} />
          {isExample && <Tag>{t`Example`}</Tag>}
        </p>
      </div>
    </div>
  );
}

/** Heart rate and calories come only where their owner shares them (D18). */
function Facts({ activity }: { activity: ActivityFeedItem }) {
  const { t } = useLingui();
  const { durationMinutes, location } = activity;
  const [beats, energy] = [activity.heartRate, activity.calories].map((value) => value !== null && formatCount(value));
  return (
    <p className={styles.activity}>
      <b>
        <bdi>{activity.activityType}</bdi>
      </b>
      {Number.isFinite(durationMinutes) && <span>{formatDuration(durationMinutes)}</span>}
      {location && (
        <span>
          <MapPin size={16} aria-hidden="true" />
          <bdi>{location}</bdi>
        </span>
      )}
      {beats && (
        <span>
          <HeartPulse size={16} aria-hidden="true" />
          {t`${beats} bpm`}
        </span>
      )}
      {energy && (
        <span>
          <Flame size={16} aria-hidden="true" />
          {t`${energy} kcal`}
        </span>
      )}
    </p>
  );
}

/** Without threads, as in an example, comments are a number too. */
function Counts({ activity, isReadOnly = false, threadOf }: CardProps) {
  const { id, reactions, myReactions = [] } = activity;
  const { likes, comments } = reactions;
  return (
    <div className={styles.foot}>
      <span role="img" aria-label={plural(likes, { one: '# like', other: '# likes' })}>
        <ThumbsUp size={18} aria-hidden="true" />
        {formatCount(likes)}
      </span>
      {!isReadOnly && <ReactionButtons id={id} own={myReactions} />}
      {threadOf?.({ id, comments }) ?? (
        <span role="img" aria-label={plural(comments, { one: '# comment', other: '# comments' })}>
          <MessageSquare size={18} aria-hidden="true" />
          {formatCount(comments)}
        </span>
      )}
    </div>
  );
}

/** A team has come to a stop of the journey (D33). */
function Checkpoint({
  activity: { teamEmoji, teamName, createdAt, timeAgo },
  checkpoint: { name, routeName, mileMark, isLast },
}: {
  activity: ActivityFeedItem;
  checkpoint: NonNullable<ActivityFeedItem['checkpoint']>;
}) {
  const { figure, long } = useDistance();
  const distance = figure(mileMark);
  return (
    <div className={styles.stop}>
      <span className={styles.flag} aria-hidden="true">
        <Flag size={22} />
      </span>
      <div className={styles.who}>
        <b>
          {isLast ? (
            <Trans>
              {teamEmoji} {teamName} completed the whole way
            </Trans>
          ) : (
            <Trans>
              {teamEmoji} {teamName} reached {name}
            </Trans>
          )}
        </b>
        <p>
          <RelativeTime at={createdAt} otherwise={timeAgo} />
          <span className={styles.team}>
            {isLast ? `${name} · ` : ''}
            <Trans>
              {distance} {long} along {routeName}
            </Trans>
          </span>
        </p>
      </div>
    </div>
  );
}
