import type { Comment } from '@caravan/contracts/http/comments';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { threadQuery, useWrite } from './api.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentRow } from './comment-row.tsx';
import styles from './comments.module.css';

/** What others wrote below an entry, and a place to answer. */
export function Thread({ entryId }: { entryId: string }) {
  const { t } = useLingui();
  const thread = useInfiniteQuery(threadQuery(entryId));
  const write = useWrite(entryId);
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
              <CommentForm
                label={t`Write a comment`}
                action={t`Comment`}
                isBusy={write.isPending}
                onSend={(sent, done) => write.mutate(sent, done)}
              />
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
