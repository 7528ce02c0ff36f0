import type { FeedPost } from '@caravan/contracts/http/feed';
import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { SourceTag } from '../../ui/source-tag.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PersonName, RelativeTime } from '../../ui/text.tsx';
import { useFocusOnMore } from '../../ui/use-focus-on-more.ts';
import { feedQuery, type FeedTab } from './api.ts';
import { shortenCaption } from './caption.ts';
import { EntryPicture } from './entry-picture.tsx';
import styles from './posts.module.css';
import { ReactionButtons, ReactionsReceived } from './reactions.tsx';

/** What others wrote below an entry; the route puts it in. */
export type ThreadOf = (entry: { id: string; comments: number }) => ReactNode;

export function Posts({ tab, threadOf }: { tab: FeedTab; threadOf?: ThreadOf | undefined }) {
  const { t } = useLingui();
  const feed = useInfiniteQuery(feedQuery(tab));
  const posts = feed.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  const { box, onMore } = useFocusOnMore('article');
  const isBroken = feed.isError && !feed.data;
  return (
    <Loading isLoading={feed.isPending} skeleton={<PostsSkeleton />}>
      {() => (
        <div ref={box}>
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
              <Post key={post.id} post={post} isOwn={tab === 'mine'} threadOf={threadOf} />
            ))}
            {feed.hasNextPage && (
              <Button
                variant="quiet"
                isWide
                isBusy={feed.isFetchingNextPage}
                onClick={() => {
                  onMore();
                  void feed.fetchNextPage();
                }}
              >
                {t`Load more posts`}
              </Button>
            )}
            {feed.isFetchNextPageError && <p role="alert">{t`Unable to load team feed`}</p>}
          </Stack>
        </div>
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
          <>
            <Button asChild>
              <Link to="/timer">{t`Start the timer`}</Link>
            </Button>
            {isMine && (
              <Button asChild variant="plain">
                <Link to="/account-settings">{t`Connect a fitness device`}</Link>
              </Button>
            )}
          </>
        }
      />
    </Card>
  );
}

const waiting = ['a', 'b', 'c'];

export const PostsSkeleton = ({ count = waiting.length }: { count?: number }) => (
  <Stack>
    {waiting.slice(0, count).map((key) => (
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

export function Post({
  post,
  isOwn,
  threadOf,
}: {
  post: FeedPost;
  /** Read only: one does not cheer for oneself (2.90). */
  isOwn: boolean;
  threadOf: ThreadOf | undefined;
}) {
  const minutes = formatCount(post.durationMinutes);
  return (
    <article>
      <Card className={styles.post}>
        <div className={styles.head}>
          <Avatar name={post.user.name} photoUrl={post.user.avatar} />
          <div className={styles.who}>
            <b>
              <PersonName profileId={post.user.profileId} name={post.user.name} />
            </b>
            <p>
              <RelativeTime at={post.createdAt} />
              <SourceTag source={post.source} />
            </p>
          </div>
        </div>
        <EntryPicture entry={post} name={post.user.name} />
        <div className={styles.said}>
          <p className={styles.activity}>
            <b>
              <bdi>{post.activityType}</bdi>
            </b>{' '}
            <Trans>{minutes} min</Trans>
          </p>
          {post.caption && <Caption text={post.caption} />}
        </div>
        <div className={styles.foot}>
          {isOwn ? (
            <ReactionsReceived post={post} />
          ) : (
            <ReactionButtons id={post.id} reactions={post.reactions} own={post.myReactions ?? []} />
          )}
          {threadOf?.(post)}
        </div>
      </Card>
    </article>
  );
}

export function Caption({ text }: { text: string }) {
  const { t } = useLingui();
  const [isWhole, setIsWhole] = useState(false);
  const short = shortenCaption(text);
  return (
    <p className={styles.caption} dir="auto">
      {isWhole ? text : (short ?? text)}{' '}
      {short !== null && (
        <button type="button" className={styles.more} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t`less` : t`more`}
        </button>
      )}
    </p>
  );
}
