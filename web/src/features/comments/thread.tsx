import type { Comment } from '@caravan/contracts/http/comments';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { threadQuery, useEdit, useWrite } from './api.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentRow } from './comment-row.tsx';
import styles from './comments.module.css';
import { nothingWritten, useCommentDraft } from './draft.ts';

/** What others wrote below an entry, and a place to answer. */
export function Thread({ entryId }: { entryId: string }) {
  const { t } = useLingui();
  const thread = useInfiniteQuery(threadQuery(entryId));
  const comments = thread.data?.pages.flatMap((page) => page?.rows ?? []);
  useSearchForMeant(thread, comments);
  return (
    // Whoever has deleted or hidden a comment goes on from here.
    <section className={styles.thread} aria-label={t`Comments`} tabIndex={-1}>
      <Loading isLoading={thread.isPending} skeleton={<Skeleton height={64} />}>
        {() =>
          comments ? (
            <>
              {comments.length === 0 && <p className={styles.none}>{t`No comments yet. Say something kind.`}</p>}
              <ul className={styles.comments}>
                {comments.map((comment) => (
                  <CommentRow key={comment.id} entryId={entryId} comment={comment} />
                ))}
              </ul>
              {thread.hasNextPage && (
                <Button
                  variant="plain"
                  size="small"
                  isBusy={thread.isFetchingNextPage}
                  onClick={() => void thread.fetchNextPage()}
                >
                  {t`Show more comments`}
                </Button>
              )}
              <WriteComment entryId={entryId} />
            </>
          ) : (
            <ErrorState
              title={t`The comments could not be loaded`}
              hint={t`Please try again later.`}
              onRetry={() => void thread.refetch()}
            />
          )
        }
      </Loading>
    </section>
  );
}

/** A place to answer. Where an earlier attempt was posted and its text was changed since, the text becomes an edit. */
function WriteComment({ entryId }: { entryId: string }) {
  const { t } = useLingui();
  const write = useWrite(entryId);
  const edit = useEdit(entryId);
  const [postedId, setPostedId] = useState<string>();
  const [drafts, setDrafts] = useState(0);
  const [written, setWritten] = useCommentDraft(entryId);
  const isPosted = postedId !== undefined;
  const leave = () => {
    setPostedId(undefined);
    setWritten(nothingWritten);
    setDrafts(drafts + 1);
  };
  return (
    <CommentForm
      key={drafts}
      label={t`Write a comment`}
      action={isPosted ? t`Change my comment` : t`Comment`}
      notice={
        isPosted ? t`Your first try was posted and stands above. Your changes since then are not in it yet.` : undefined
      }
      written={written}
      onWrite={setWritten}
      isBusy={write.isPending || edit.isPending}
      onSend={(body, { onSuccess, onError }) =>
        isPosted
          ? edit.mutate({ id: postedId, body }, { onSuccess: leave, onError })
          : write.mutate(body, {
              onSuccess: ({ comment, isEarlier }) => (isEarlier ? setPostedId(comment.id) : onSuccess()),
              onError,
            })
      }
      onCancel={isPosted ? leave : undefined}
    />
  );
}

/** A notice leads to one comment: pages are read until it is there. */
function useSearchForMeant(
  { hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useInfiniteQuery>,
  comments: readonly Comment[] | undefined,
): void {
  const meant = useLocation({ select: ({ hash }) => hash });
  const isMissing = meant !== '' && comments !== undefined && !comments.some(({ id }) => id === meant);
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, fetchNextPage]);
}
