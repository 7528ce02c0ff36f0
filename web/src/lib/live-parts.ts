import type { Comment } from '@caravan/contracts/http/comments';
import type { LiveShown } from '@caravan/contracts/http/live';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { type FeedList, isFeedList, isThread, listWith } from './feed-lists.ts';

type Thread = InfiniteData<{ rows: Comment[]; next: string | null } | null>;
type News = NonNullable<NonNullable<LiveShown['comments']>['threads']>[number];

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** A query's answer with the reactions and comments that came since; undefined where it has to be asked for. */
export function withParts(key: QueryKey, before: unknown, { reactions, comments }: LiveShown): unknown {
  const isPaged = typeof before === 'object' && before !== null && 'pages' in before;
  if (!isPaged || (!reactions?.posts && !comments?.threads)) return before;
  const thread = comments?.threads?.find(({ entryId }) => entryId === key[1]);
  if (isThread(key)) return thread ? withComments(before as Thread, thread) : before;
  return isFeedList(key) ? withCounts(before as FeedList, reactions?.posts ?? {}, comments?.threads ?? []) : before;
}

function withCounts(
  list: FeedList,
  given: Readonly<Record<string, Record<string, number>>>,
  threads: readonly News[],
): FeedList {
  const counts = new Map(threads.map(({ entryId, count }) => [entryId, count]));
  return listWith(list, {
    post: (post) => ({
      ...post,
      reactions: given[post.id] ?? post.reactions,
      comments: counts.get(post.id) ?? post.comments,
    }),
    activity: ({ reactions: { likes, comments }, ...activity }) => {
      const reactions = given[activity.id];
      return {
        ...activity,
        reactions: {
          likes: reactions ? sumOf(reactions) : likes,
          comments: counts.get(activity.id) ?? comments,
        },
      };
    },
  });
}

/** The stream carries what changed just now: where the number says that more did, they have to be asked for. */
function withComments(thread: Thread, { count, changed, gone }: News): Thread | undefined {
  if (changed === null) return undefined;
  const waiting = new Map(changed.map((comment) => [comment.id, comment]));
  const known = thread.pages.map((page) => page?.rows.filter(({ id }) => !gone.includes(id)).map(withNews) ?? []);
  function withNews(row: Comment): Comment {
    const news = waiting.get(row.id);
    waiting.delete(row.id);
    // Many are told the same: whose a comment is only its author's page knows.
    return news ? { ...news, isMine: row.isMine } : row;
  }
  const pages = thread.pages.map((page, at) => {
    if (!page) return page;
    const rows = known[at] ?? [];
    // What stands on a page that is not open yet is read with it.
    const end = rows.at(-1);
    const isLast = page.next === null;
    const here = [...waiting.values()].filter((one) => isLast || (end && isBefore(one, end)));
    for (const { id } of here) waiting.delete(id);
    return { ...page, rows: [...rows, ...here].toSorted((a, b) => (isBefore(a, b) ? -1 : 1)) };
  });
  const counted = pages.flatMap((page) => page?.rows ?? []).filter(({ hidden }) => hidden === null).length;
  return pages.at(-1)?.next === null && counted !== count ? undefined : { ...thread, pages };
}

const isBefore = (a: Comment, b: Comment): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
