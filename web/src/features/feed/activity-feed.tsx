import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useNow } from '../../lib/now.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useFocusOnMore } from '../../ui/use-focus-on-more.ts';
import { ActivityCard } from './activity-card.tsx';
import styles from './activity.module.css';
import { activityFeedQuery, type ActivityScope } from './api.ts';
import { exampleActivities } from './examples.ts';
import { PostsSkeleton, type ThreadOf } from './posts.tsx';

/** Who moved, what for and how it was received: of everybody, of one's team, of oneself (2.98). */
export function ActivityFeed({ threadOf }: { threadOf?: ThreadOf }) {
  const { t } = useLingui();
  const [scope, setScope] = useState<ActivityScope>('all');
  return (
    <Page title={t`Team Activity`} width="text">
      <Tabs
        label={t`Team Activity`}
        value={scope}
        onChange={setScope}
        tabs={[
          { value: 'all', label: t`All Activity` },
          { value: 'team', label: t`My Team` },
          { value: 'following', label: t`My Activity` },
        ]}
      >
        <Activities key={scope} scope={scope} threadOf={threadOf} />
      </Tabs>
    </Page>
  );
}

function Activities({ scope, threadOf }: { scope: ActivityScope; threadOf: ThreadOf | undefined }) {
  const { t } = useLingui();
  const feed = useInfiniteQuery(activityFeedQuery(scope));
  const activities = onceEach(feed.data?.pages.flatMap((page) => page?.activities ?? []) ?? []);
  const { box, onMore } = useFocusOnMore('article');
  const retry = () => void feed.refetch();
  return (
    <Loading isLoading={feed.isPending} skeleton={<PostsSkeleton />}>
      {() =>
        feed.isError && !feed.data ? (
          <Examples onRetry={retry} />
        ) : (
          <div ref={box}>
            <Stack>
              {activities.length === 0 && <NothingYet scope={scope} />}
              {activities.map((activity) => (
                <ActivityCard
                  key={activity.id}
                  activity={activity}
                  isReadOnly={scope === 'following'}
                  threadOf={threadOf}
                />
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
                  {t`Load More Activities`}
                </Button>
              )}
              {feed.isFetchNextPageError && (
                <p
                  role="alert"
                  className={styles.failed}
                >{t`More activities could not be loaded. Please try again.`}</p>
              )}
            </Stack>
          </div>
        )
      }
    </Loading>
  );
}

/** Between two pages somebody may have moved: the last of one page then is the first of the next. */
const onceEach = (activities: readonly ActivityFeedItem[]): ActivityFeedItem[] => [
  ...new Map(activities.map((activity) => [activity.id, activity])).values(),
];

/** What the feed looks like while it cannot be loaded (2.101, D44). */
function Examples({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  return (
    <Stack>
      <Card tone="brand" className={styles.notice}>
        <p role="alert">
          <Trans>
            <b>The activities could not be loaded.</b> Until they can be, these examples show what stands here.
          </Trans>
        </p>
        <Button variant="quiet" size="small" onClick={onRetry}>{t`Try again`}</Button>
      </Card>
      {exampleActivities(now).map((activity) => (
        <ActivityCard key={activity.id} activity={activity} isExample />
      ))}
    </Stack>
  );
}

function NothingYet({ scope }: { scope: ActivityScope }) {
  const { t } = useLingui();
  const isMine = scope === 'following';
  return (
    <Card>
      <EmptyState
        title={isMine ? t`You haven't logged any movement yet` : t`No activities yet`}
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
