import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { feedQuery } from './api.ts';
import type { FeedTab } from './feed-tab.ts';
import { Post } from './post.tsx';
import styles from './post.module.css';

export function Posts({ tab }: { tab: FeedTab }) {
  const { t } = useLingui();
  const feed = useInfiniteQuery(feedQuery(tab));
  const posts = feed.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  const isBroken = feed.isError && !feed.data;
  return (
    <Loading isLoading={feed.isPending} skeleton={<PostsSkeleton />}>
      {() => (
        <Stack>
          {isBroken && (
            <Card>
              <ErrorState
                title={t`Unable to load team feed`}
                hint={t`Please try again later.`}
                onRetry={() => void feed.refetch()}
              />
            </Card>
          )}
          {!isBroken && posts.length === 0 && <NothingYet tab={tab} />}
          {posts.map((post) => (
            <Post key={post.id} post={post} />
          ))}
          {feed.hasNextPage && (
            <Button variant="quiet" isWide isBusy={feed.isFetchingNextPage} onClick={() => void feed.fetchNextPage()}>
              {t`Load more posts`}
            </Button>
          )}
          {feed.isFetchNextPageError && <p role="alert">{t`Unable to load team feed`}</p>}
        </Stack>
      )}
    </Loading>
  );
}

function NothingYet({ tab }: { tab: FeedTab }) {
  const { t } = useLingui();
  const isMine = tab === 'mine';
  return (
    <Card>
      <EmptyState
        title={isMine ? t`You haven't logged any movement yet` : t`Your team hasn't posted yet`}
        hint={isMine ? t`Try the timer to get started!` : t`Be the first to give them something to cheer for.`}
        action={
          <Button asChild>
            <Link to="/timer">{t`Start the timer`}</Link>
          </Button>
        }
      />
    </Card>
  );
}

const PostsSkeleton = () => (
  <Stack>
    {['a', 'b', 'c'].map((key) => (
      <Card key={key} className={styles.skeleton}>
        <Skeleton width={42} height={42} isRound />
        <div>
          <Skeleton width="60%" height={20} />
          <Skeleton width="35%" height={16} />
        </div>
        <Skeleton height={72} />
      </Card>
    ))}
  </Stack>
);
