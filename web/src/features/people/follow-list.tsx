import type { PersonRow } from '@caravan/contracts/http/people';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { PersonName } from '../../ui/person-name.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { followsQuery } from './api.ts';
import styles from './people.module.css';

const rows = ['a', 'b', 'c'];

/** People, page by page; a press on one leads there. */
export function FollowList({ id, direction }: { id: string; direction: 'followers' | 'following' }) {
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
        <PersonName id={person.id} name={person.name} />
      </b>
      <p>
        {person.teamEmoji} {person.teamName}
      </p>
    </div>
  </li>
);
