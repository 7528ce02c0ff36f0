import { ThreadToggle } from '../../features/comments/thread-toggle.tsx';

/** What stands below an entry of any feed: how many comments it has, and on a press the comments. */
export const threadOf = ({ id, comments }: { id: string; comments: number }) => (
  <ThreadToggle entryId={id} comments={comments} />
);

/** Below an entry that stands alone: the comments are open. */
export const openThreadOf = ({ id, comments }: { id: string; comments: number }) => (
  <ThreadToggle entryId={id} comments={comments} isOpenAtFirst />
);
