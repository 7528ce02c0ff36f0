import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { timeAgo } from '@caravan/contracts/domain/time/time-ago';
import { faceOf, photoOf, type PostPhoto, type Signing } from './shown-photo.ts';

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

type MovementCard = PostPhoto & {
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
  /** Null where the reader may not know (D18). */
  readonly heartRate: number | null;
  readonly calories: number | null;
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
export function activityFeedItemOf(activity: Activity, signing: Signing): ActivityFeedItem {
  const { id, kind, teamName, teamEmoji, createdAt, likes, comments, myReactions } = activity;
  return {
    id,
    kind,
    ...(activity.kind === 'movement'
      ? movementOf(activity, signing)
      : checkpointOf(activity, teamName ?? unknownTeamName)),
    teamName: teamName ?? '',
    teamEmoji: teamEmoji ?? '',
    createdAt: createdAt.toISOString(),
    timeAgo: timeAgo(createdAt, signing.at),
    reactions: { likes, comments },
    myReactions: [...myReactions],
  };
}

type Own = Omit<
  ActivityFeedItem,
  ('id' | 'kind' | 'teamName' | 'teamEmoji' | 'createdAt' | 'timeAgo') | ('reactions' | 'myReactions')
>;

function movementOf(card: MovementCard, signing: Signing): Own {
  return {
    userName: card.userName ?? hiddenMemberName,
    userPhotoUrl: faceOf(card.userPhotoUrl, signing),
    profileId: card.profileId,
    activityType: card.activityType,
    durationMinutes: card.durationMinutes,
    distanceMiles: (card.centimiles / 100).toFixed(2),
    photoPrompt: card.caption,
    ...photoOf(card, signing),
    location: card.location,
    bonusChallengeId: card.bonusChallengeId,
    isBonusChallenge: card.bonusChallengeId !== null,
    heartRate: card.heartRate,
    calories: card.calories,
    checkpoint: null,
  };
}

function checkpointOf({ checkpoint }: CheckpointCard, teamName: string): Own {
  const { name, routeName, mileMark, isLast } = checkpoint;
  return {
    userName: teamName,
    userPhotoUrl: null,
    profileId: null,
    heartRate: null,
    calories: null,
    activityType: isLast ? `Completed ${routeName}` : `Reached ${name}`,
    durationMinutes: 0,
    distanceMiles: mileMark.toFixed(2),
    photoPrompt: null,
    photoUrl: null,
    photo: null,
    location: name,
    bonusChallengeId: null,
    isBonusChallenge: false,
    checkpoint: { name, routeName, mileMark, isLast },
  };
}
