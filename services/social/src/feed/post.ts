import type { FeedPost } from '@caravan/contracts/http/feed';
import type { Source } from '@caravan/contracts/fields';

/** A post as it is read. */
export type Post = {
  readonly id: string;
  readonly userName: string | null;
  readonly activityType: string;
  readonly durationMinutes: number;
  readonly centimiles: number;
  readonly source: Source;
  readonly caption: string | null;
  readonly createdAt: Date;
};

/** A post as feeds show it (3.39); `distanceMiles` is text with two decimals. */
export function feedPostOf({ userName, centimiles, createdAt, ...post }: Post): FeedPost {
  return {
    id: post.id,
    // A movement can arrive a moment before the news of who made it.
    user: { name: userName ?? 'A teammate', avatar: null },
    createdAt: createdAt.toISOString(),
    source: post.source,
    activityType: post.activityType,
    distanceMiles: (centimiles / 100).toFixed(2),
    durationMinutes: post.durationMinutes,
    caption: post.caption,
    photoUrl: null,
    reactions: {},
  };
}
