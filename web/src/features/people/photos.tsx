import type { GalleryPhoto } from '@caravan/contracts/http/feed';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Card, Stack } from '../../ui/page.tsx';
import { Photo } from '../../ui/photo.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { photosQuery } from './api.ts';
import styles from './people.module.css';

/** What somebody showed on the way, newest first (2.107). */
export function OwnPhotos({ id }: { id: string }) {
  const { t } = useLingui();
  const list = useInfiniteQuery(photosQuery(id));
  const photos = list.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  return (
    <Card>
      <Loading isLoading={list.isPending} skeleton={<Skeleton height={240} />}>
        {() => {
          if (list.isError && !list.data)
            return (
              <ErrorState
                title={t`Photos could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void list.refetch()}
              />
            );
          if (photos.length === 0)
            return (
              <EmptyState title={t`No photos yet`} hint={t`Photos of your workouts hang here.`} action={<ToTimer />} />
            );
          return <Hung list={list} photos={photos} />;
        }}
      </Loading>
    </Card>
  );
}

const latest = 6;

/** The newest ones beside the own profile, where there is room for them; nothing where there are none. */
export function LatestPhotos({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useInfiniteQuery(photosQuery(id));
  const photos = data?.pages[0]?.rows.slice(0, latest) ?? [];
  if (photos.length === 0) return null;
  return (
    <Card title={t`Photos`}>
      <ul className={styles.latest}>
        {photos.map((photo) => (
          <Tile key={photo.id} photo={photo} />
        ))}
      </ul>
    </Card>
  );
}

/** What a colleague lets one see of it; nothing where there is nothing. */
export function PhotosOf({ id }: { id: string }) {
  const { t } = useLingui();
  const list = useInfiniteQuery(photosQuery(id));
  const photos = list.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  if (photos.length === 0) return null;
  return (
    <Card title={t`Photos`}>
      <Hung list={list} photos={photos} />
    </Card>
  );
}

type More = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

function Hung({ list, photos }: { list: More; photos: readonly GalleryPhoto[] }) {
  const { t } = useLingui();
  return (
    <Stack>
      <ul className={styles.photos}>
        {photos.map((photo) => (
          <Tile key={photo.id} photo={photo} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="quiet" isWide isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t`Show more`}
        </Button>
      )}
    </Stack>
  );
}

/** Leads to where it was shown. */
function Tile({ photo: { id, activityType, photoUrl, photo } }: { photo: GalleryPhoto }) {
  const { t } = useLingui();
  return (
    <li>
      <Link to="/feed/$id" params={{ id }}>
        <Photo
          src={photoUrl}
          photo={photo}
          otherwise={t`Photo of a workout: ${activityType}`}
          sizes="(min-width: 900px) 200px, 30vw"
          isSquare
        />
      </Link>
    </li>
  );
}

function ToTimer() {
  const { t } = useLingui();
  return (
    <Button asChild size="small">
      <Link to="/timer">{t`Start the timer`}</Link>
    </Button>
  );
}
