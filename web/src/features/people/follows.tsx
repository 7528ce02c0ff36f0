import type { PersonRow, UserProfile } from '@caravan/contracts/http/people';
import { Plural, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Check, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PersonName } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { followsQuery, useFollow } from './api.ts';
import styles from './people.module.css';

/** Both numbers; each opens the list behind it (D46). */
export function Follows({
  user: { id, name, isSelf, followerCount, followingCount },
}: {
  user: Pick<UserProfile, 'id' | 'name' | 'isSelf' | 'followerCount' | 'followingCount'>;
}) {
  const { t } = useLingui();
  const [first = name] = name.split(' ');
  const followers = formatCount(followerCount);
  const following = formatCount(followingCount);
  return (
    <div className={styles.follows}>
      <Opening
        title={isSelf ? t`Your followers` : t`${first}'s followers`}
        number={
          <>
            <b>{followers}</b> <Plural value={followerCount} one="follower" other="followers" />
          </>
        }
      >
        <FollowList id={id} direction="followers" />
      </Opening>
      <Opening
        title={isSelf ? t`You follow` : t`${first} follows`}
        number={
          <>
            <b>{following}</b> {t`following`}
          </>
        }
      >
        <FollowList id={id} direction="following" />
      </Opening>
    </div>
  );
}

const Opening = ({ title, number, children }: { title: string; number: ReactNode; children: ReactNode }) => (
  <Dialog
    title={title}
    trigger={
      <button type="button" className={styles.count}>
        {number}
      </button>
    }
  >
    {children}
  </Dialog>
);

const rows = ['a', 'b', 'c'];

/** People, page by page; a press on one leads there. */
function FollowList({ id, direction }: { id: string; direction: 'followers' | 'following' }) {
  const { t } = useLingui();
  const list = useInfiniteQuery(followsQuery(id, direction));
  const people = list.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  if (list.isError && !list.data)
    return <ErrorState title={t`This list could not be loaded`} onRetry={() => void list.refetch()} />;
  return (
    <Loading
      isLoading={list.isPending}
      skeleton={rows.map((key) => (
        <Skeleton key={key} height={60} />
      ))}
    >
      {() =>
        people.length === 0 ? (
          <EmptyState title={direction === 'followers' ? t`No followers yet` : t`Follows nobody yet`} />
        ) : (
          <>
            <ul className={styles.people}>
              {people.map((person) => (
                <Row key={person.id} person={person} />
              ))}
            </ul>
            {list.hasNextPage && (
              <Button variant="quiet" isWide isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t`Show more`}
              </Button>
            )}
          </>
        )
      }
    </Loading>
  );
}

const Row = ({ person }: { person: PersonRow }) => (
  <li>
    <Avatar name={person.name} photoUrl={person.profilePhotoUrl} />
    <div>
      <b>
        <PersonName profileId={person.id} name={person.name} />
      </b>
      <p>
        {person.teamEmoji} <bdi>{person.teamName}</bdi>
      </p>
    </div>
  </li>
);

/** Follows a colleague, or no more (D46). */
export function FollowButton({ user: { id, isFollowing } }: { user: UserProfile }) {
  const { t } = useLingui();
  const { mutate, isPending } = useFollow(id);
  const press = () => {
    // One answer at a time: the second press would cross the first on its way.
    if (isPending) return;
    mutate(!isFollowing, {
      onError: (error) =>
        toast({
          title: t`Error`,
          description: serverMessage(error, t`That did not work. Please try again.`),
          tone: 'error',
        }),
    });
  };
  const Icon = isFollowing ? Check : UserPlus;
  return (
    <Button variant={isFollowing ? 'quiet' : 'primary'} size="small" onClick={press}>
      <Icon size={18} aria-hidden="true" />
      {isFollowing ? t`Following` : t`Follow`}
    </Button>
  );
}
