import type { ReactionEmoji, Source } from '@caravan/contracts/fields';
import type { FeedPost, ReactionCounts } from '@caravan/contracts/http/feed';
import { hiddenMemberName } from '@caravan/contracts/identity.events';

export type Post = {
  readonly id: string;
  readonly userName: string | null;
  readonly userPhotoUrl: string | null;
  readonly profileId: string | null;
  readonly activityType: string;
  readonly durationMinutes: number;
  readonly centimiles: number;
  readonly source: Source;
  readonly caption: string | null;
  readonly createdAt: Date;
  /** Null where nobody has reacted. */
  readonly reactions: ReactionCounts | null;
  readonly myReactions: readonly ReactionEmoji[];
  readonly comments: number;
};

/** `distanceMiles` is text with two decimals (3.39). */
export function feedPostOf({ userName, userPhotoUrl, profileId, centimiles, createdAt, ...post }: Post): FeedPost {
  return {
    id: post.id,
    // Who is not known here yet sees the own posts.
    user: { name: userName ?? hiddenMemberName, avatar: userPhotoUrl, profileId },
    createdAt: createdAt.toISOString(),
    source: post.source,
    activityType: post.activityType,
    distanceMiles: (centimiles / 100).toFixed(2),
    durationMinutes: post.durationMinutes,
    caption: post.caption,
    photoUrl: null,
    comments: post.comments,
    reactions: post.reactions ?? {},
    myReactions: [...post.myReactions],
  };
}
