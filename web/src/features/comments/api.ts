import type { Comment, CommentReason, CommentRequest } from '@caravan/contracts/http/comments';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  deleteComment,
  dismissReports,
  editComment,
  hideComment,
  listHiddenComments,
  listMentionable,
  listReportedComments,
  reportComment,
  showComment,
  writeComment,
} from '../../lib/api/generated/sdk.gen.ts';
import { complete } from '../../lib/complete.ts';
import { countComment } from '../../lib/feed-lists.ts';
import { sendAnew, sendOnce } from '../../lib/keyed-requests.ts';
import { pagedQuery } from '../../lib/pages.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { refresh } from '../../lib/query-keys.ts';
import { forgetSent } from './draft.ts';

const pageSize = 50;

/** A comment with what stands for the fields that D53 does not name (D44). */
function commentOf(answer: Partial<Comment>): Comment {
  const nobody: Comment['user'] = { name: '', avatar: null, profileId: null };
  const comment = complete<Comment>(answer, {
    id: '',
    user: nobody,
    text: '',
    mentions: [],
    createdAt: '',
    editedAt: null,
    isMine: false,
    hidden: null,
  });
  return { ...comment, user: complete(comment.user, nobody) };
}

/** The comments below an entry, oldest first. */
export const threadQuery = (entryId: string) => pagedQuery(['/api/feed', entryId, 'comments'], pageSize, commentOf);

/** Changes the comments that are shown; null where they have to be asked for again. */
function changeThread(queryClient: QueryClient, entryId: string, change: (rows: Comment[]) => Comment[]): void {
  queryClient.setQueryData(
    threadQuery(entryId).queryKey,
    (thread) =>
      thread && { ...thread, pages: thread.pages.map((page) => page && { ...page, rows: change(page.rows) }) },
  );
}

/**
 * Writes a comment; it stands last in the thread, wherever its other comments end. The one that is answered may be an
 * earlier attempt, whose answer had been lost.
 */
export function useWrite(entryId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CommentRequest) => {
      const sent = await sendOnce(`comment ${entryId}`, { path: { id: entryId }, body }, writeComment);
      return { comment: commentOf(sent.answer), isEarlier: sent.isEarlier };
    },
    onSuccess: ({ comment, isEarlier }, { text }) => {
      // Also where the form is gone by now.
      if (!isEarlier) forgetSent(entryId, text);
      const { queryKey } = threadQuery(entryId);
      const rows = queryClient.getQueryData(queryKey)?.pages.flatMap((page) => page?.rows ?? []);
      // The live stream may have been quicker, with what it tells everybody.
      if (rows?.some(({ id }) => id === comment.id))
        return changeThread(queryClient, entryId, (shown) =>
          shown.map((row) => (row.id === comment.id ? comment : row)),
        );
      countComment(queryClient, entryId, 1);
      queryClient.setQueryData(queryKey, (thread) => {
        const last = thread?.pages.at(-1);
        return thread && last
          ? { ...thread, pages: [...thread.pages.slice(0, -1), { ...last, rows: [...last.rows, comment] }] }
          : thread;
      });
    },
  });
}

/** Writes one's own comment anew. */
export function useEdit(entryId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, body }: { id: string; body: CommentRequest }) =>
      commentOf(await sendAnew({ path: { id }, body }, editComment)),
    onSuccess: (comment, { id }) =>
      changeThread(queryClient, entryId, (rows) => rows.map((row) => (row.id === id ? comment : row))),
  });
}

/** What is said and done once the server has answered, also where the comment is gone from the screen by then. */
export type Outcome = {
  /** @param isEarlier what was done is an earlier attempt, with what was filled in then */
  readonly onSuccess: (isEarlier?: boolean) => void;
  readonly onError: (error: Error) => void;
};

/** Takes a comment out of its thread and the counts, unless the live stream was quicker. */
function takeOut(queryClient: QueryClient, entryId: string, id: string): void {
  const pages = queryClient.getQueryData(threadQuery(entryId).queryKey)?.pages;
  const isGone = pages?.every((page) => !page?.rows.some((row) => row.id === id)) ?? false;
  if (isGone) return;
  changeThread(queryClient, entryId, (rows) => rows.filter((row) => row.id !== id));
  countComment(queryClient, entryId, -1);
}

/** Takes back one's own comment. */
export function useDelete(entryId: string, id: string, outcome: Outcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => deleteComment({ path: { id } }),
    onSuccess: () => {
      takeOut(queryClient, entryId, id);
      outcome.onSuccess();
    },
    onError: outcome.onError,
  });
}

export const useReport = (id: string, { onSuccess, onError }: Outcome) =>
  useMutation({
    mutationFn: (body: CommentReason) => sendOnce(`report ${id}`, { path: { id }, body }, reportComment),
    onSuccess: ({ isEarlier }) => onSuccess(isEarlier),
    onError,
  });

/** Takes a comment from everybody's sight but its author's. */
export function useHide(entryId: string, { id, isMine }: Comment, outcome: Outcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CommentReason) => sendOnce(`hide ${id}`, { path: { id }, body }, hideComment),
    onSuccess: ({ request: { body: hidden }, isEarlier }) => {
      if (isMine)
        changeThread(queryClient, entryId, (rows) => rows.map((row) => (row.id === id ? { ...row, hidden } : row)));
      else takeOut(queryClient, entryId, id);
      outcome.onSuccess(isEarlier);
      return refresh(queryClient, [reportedPath, hiddenPath]);
    },
    onError: outcome.onError,
  });
}

/** To everybody again; its thread and its counts are asked for. */
export const useShow = (id: string, outcome: Outcome) => useDecision(() => showComment({ path: { id } }), outcome);

/** Puts aside what was said against a comment, which stays. */
export const useDismiss = (id: string, outcome: Outcome) =>
  useDecision(() => dismissReports({ path: { id } }), outcome);

function useDecision(decide: () => Promise<unknown>, { onSuccess, onError }: Outcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async () => {
      await refresh(queryClient, [reportedPath, hiddenPath, '/api/feed', '/api/activity-feed']);
      onSuccess();
    },
    onError,
  });
}

/** Whom one may mention, by the beginning of a name. */
export const mentionableQuery = (name: string) =>
  dataQuery(['/api/feed/mentionable', name], ({ signal }) => listMentionable({ query: { name }, signal }));

const reportedPath = '/api/feed/reported-comments';

const hiddenPath = '/api/feed/hidden-comments';

/** What members have reported and no admin has hidden or dismissed yet. */
export const reportedQuery = dataQuery([reportedPath], listReportedComments);

/** What admins have hidden. */
export const hiddenQuery = dataQuery([hiddenPath], listHiddenComments);
