import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HttpError } from '../../lib/http-error.ts';
import { useSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { Back } from '../../ui/back-link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { ActivityCard } from './activity-card.tsx';
import { entryQuery } from './api.ts';
import { Post, PostsSkeleton, type ThreadOf } from './posts.tsx';

const notFound = 404;

/** One entry of the feeds, to which notices lead: a post, or a stop that a team has reached. */
export function Entry({ id, threadOf }: { id: string; threadOf?: ThreadOf }) {
  const { t } = useLingui();
  const { user } = useSession();
  const entry = useInfiniteQuery(entryQuery(id));
  const isGone = entry.error instanceof HttpError && entry.error.status === notFound;
  const [post] = entry.data?.pages[0]?.rows ?? [];
  const [activity] = entry.data?.pages[0]?.activities ?? [];
  return (
    <Page title={t`Post`} width="text" before={<Back otherwise="/feed" />}>
      <Loading isLoading={entry.isPending} skeleton={<PostsSkeleton count={1} />}>
        {() => {
          if (isGone) return <Gone />;
          if (post) return <Post post={post} isOwn={post.user.profileId === user?.id} threadOf={threadOf} />;
          if (activity) return <ActivityCard activity={activity} threadOf={threadOf} />;
          return (
            <Card>
              <ErrorState
                title={t`This post could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void entry.refetch()}
              />
            </Card>
          );
        }}
      </Loading>
    </Page>
  );
}

/** Deleted, or hidden since the notice of it. */
function Gone() {
  const { t } = useLingui();
  return (
    <Card>
      <EmptyState
        title={t`This post is gone`}
        hint={t`It was deleted, or is not shared any more.`}
        action={
          <Button asChild>
            <Link to="/feed">{t`To the feed`}</Link>
          </Button>
        }
      />
    </Card>
  );
}
