import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { addToCount, type FeedChanges } from '../../lib/feed-lists.ts';

type Own = { emoji: ReactionEmoji; isAdded: boolean };
/** What one has pressed below a post. */
export type OwnReaction = Own & { logId: string };

/** One's own reactions once this one is there or gone; null where it stands so already. */
function ownWith(before: readonly ReactionEmoji[] = [], { emoji, isAdded }: Own): ReactionEmoji[] | null {
  if (before.includes(emoji) === isAdded) return null;
  return isAdded ? [...before, emoji] : before.filter((other) => other !== emoji);
}

/** A post as it stands once a reaction of one's own is there or gone; what stands so already stays. */
export function withOwnReaction(post: FeedPost, { emoji, isAdded }: Own): FeedPost {
  const myReactions = ownWith(post.myReactions, { emoji, isAdded });
  if (!myReactions) return post;
  const count = addToCount(post.reactions[emoji] ?? 0, isAdded ? 1 : -1);
  const { [emoji]: _, ...others } = post.reactions;
  return {
    ...post,
    // An emoji that nobody chose is absent (4.36).
    reactions: count === 0 ? others : { ...others, [emoji]: count },
    myReactions,
  };
}

/** The same of an activity, which counts likes, whichever they are. */
function withOwnLike(activity: ActivityFeedItem, own: Own): ActivityFeedItem {
  const myReactions = ownWith(activity.myReactions, own);
  if (!myReactions) return activity;
  const { likes, comments } = activity.reactions;
  return { ...activity, myReactions, reactions: { likes: addToCount(likes, own.isAdded ? 1 : -1), comments } };
}

/** What becomes of the entries of feeds, in whichever of them the post stands. */
export const changesBy = ({ logId, ...own }: OwnReaction): FeedChanges => ({
  post: (post) => (post.id === logId ? withOwnReaction(post, own) : post),
  activity: (activity) => (activity.id === logId ? withOwnLike(activity, own) : activity),
});
