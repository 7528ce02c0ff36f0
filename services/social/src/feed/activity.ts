import type { ReactionEmoji } from '@caravan/contracts/fields';
import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { hiddenMemberName } from '@caravan/contracts/identity.events';
import { timeAgo } from '@caravan/contracts/time-ago';

/** What movements and checkpoints have in common, then what either has alone. */
export type Activity = {
  readonly id: string;
  readonly teamName: string | null;
  readonly teamEmoji: string | null;
  readonly createdAt: Date;
  readonly likes: number;
  readonly myReactions: readonly ReactionEmoji[];
  readonly comments: number;
} & (MovementCard | CheckpointCard);

type MovementCard = {
  readonly kind: 'movement';
  readonly userName: string | null;
  readonly userPhotoUrl: string | null;
  readonly profileId: string | null;
  readonly activityType: string;
  readonly durationMinutes: number;
  readonly centimiles: number;
  readonly caption: string | null;
  readonly location: string | null;
  readonly bonusChallengeId: string | null;
};

type CheckpointCard = {
  readonly kind: 'checkpoint';
  readonly checkpoint: {
    readonly name: string;
    readonly routeName: string;
    readonly mileMark: number;
    readonly isLast: boolean;
  };
};

/** A team that is not known here yet has no name. */
const unknownTeamName = 'A team';

/** `GET /api/activity-feed/{scope}` (3.43). */
export function activityFeedItemOf(activity: Activity, now: Date): ActivityFeedItem {
  const { id, kind, teamName, teamEmoji, createdAt, likes, comments, myReactions } = activity;
  return {
    id,
    kind,
    ...(activity.kind === 'movement' ? movementOf(activity) : checkpointOf(activity, teamName ?? unknownTeamName)),
    teamName: teamName ?? '',
    teamEmoji: teamEmoji ?? '',
    createdAt: createdAt.toISOString(),
    timeAgo: timeAgo(createdAt, now),
    reactions: { likes, comments },
    myReactions: [...myReactions],
    photoUrl: null,
    heartRate: null,
    calories: null,
  };
}

type Own = Omit<
  ActivityFeedItem,
  | ('id' | 'kind' | 'teamName' | 'teamEmoji' | 'createdAt' | 'timeAgo')
  | ('reactions' | 'myReactions' | 'photoUrl' | 'heartRate' | 'calories')
>;

function movementOf(card: MovementCard): Own {
  return {
    userName: card.userName ?? hiddenMemberName,
    userPhotoUrl: card.userPhotoUrl,
    profileId: card.profileId,
    activityType: card.activityType,
    durationMinutes: card.durationMinutes,
    distanceMiles: (card.centimiles / 100).toFixed(2),
    photoPrompt: card.caption,
    location: card.location,
    bonusChallengeId: card.bonusChallengeId,
    isBonusChallenge: card.bonusChallengeId !== null,
    checkpoint: null,
  };
}

function checkpointOf({ checkpoint }: CheckpointCard, teamName: string): Own {
  const { name, routeName, mileMark, isLast } = checkpoint;
  return {
    ...{ userName: teamName, userPhotoUrl: null, profileId: null },
    activityType: isLast ? `Completed ${routeName}` : `Reached ${name}`,
    durationMinutes: 0,
    distanceMiles: mileMark.toFixed(2),
    ...{ photoPrompt: null, location: name, bonusChallengeId: null, isBonusChallenge: false },
    checkpoint: { name, routeName, mileMark, isLast },
  };
}
