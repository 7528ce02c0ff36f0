import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { Source } from '@caravan/contracts/domain/movement/sources';
import type { FeedPost, GalleryPhoto, ReactionCounts } from '@caravan/contracts/http/feed';
import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { faceOf, photoOf, type PostPhoto, type Signing } from './shown-photo.ts';

export type Post = PostPhoto & {
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
export function feedPostOf(
  { userName, userPhotoUrl, profileId, centimiles, createdAt, ...post }: Post,
  signing: Signing,
): FeedPost {
  return {
    id: post.id,
    // Who is not known here yet sees the own posts.
    user: { name: userName ?? hiddenMemberName, avatar: faceOf(userPhotoUrl, signing), profileId },
    createdAt: createdAt.toISOString(),
    source: post.source,
    activityType: post.activityType,
    distanceMiles: (centimiles / 100).toFixed(2),
    durationMinutes: post.durationMinutes,
    caption: post.caption,
    ...photoOf(post, signing),
    comments: post.comments,
    reactions: post.reactions ?? {},
    myReactions: [...post.myReactions],
  };
}

type Pictured = PostPhoto & Pick<Post, 'id' | 'activityType' | 'caption' | 'createdAt'>;

/** Nothing where what was kept of a photo is no address. */
export function galleryPhotoOf({ id, activityType, caption, createdAt, ...post }: Pictured, signing: Signing) {
  const { photoUrl, photo } = photoOf(post, signing);
  if (photoUrl === null) return [];
  return [{ id, activityType, caption, createdAt: createdAt.toISOString(), photoUrl, photo } satisfies GalleryPhoto];
}
