import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CheckCheck, Settings2, WifiOff } from 'lucide-react';
import { formatLocalDate, useDates } from '../../lib/dates.ts';
import { useNow } from '../../lib/now.ts';
import { useIsOnline } from '../../lib/online.ts';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useFocusOnMore } from '../../ui/use-focus-on-more.ts';
import { noticesQuery, unreadQuery, useMarkRead } from './api.ts';
import { NoticeRow } from './notice-row.tsx';
import { byDay, type Day } from './notices.ts';
import styles from './notifications.module.css';

type Leaves = {
  /** Where a link leads elsewhere; a screen of its own has none. */
  onLeave?: (() => void) | undefined;
};

/** What can be done with all of them, and the way to what one wants to be told of. */
export function NoticesHead({ onLeave }: Leaves) {
  const { t } = useLingui();
  const { mutate } = useMarkRead();
  const isNothingNew = (useQuery(unreadQuery).data?.count ?? 0) === 0;
  const markAll = () =>
    mutate({ all: true }, { onError: () => toast({ title: t`They could not be marked as read`, tone: 'error' }) });
  return (
    <div className={styles.acts}>
      {/* Stays where it is, and so does the focus, when there is nothing left to mark. */}
      <Button
        variant="plain"
        size="small"
        className={styles.all}
        aria-disabled={isNothingNew}
        onClick={() => isNothingNew || markAll()}
      >
        <CheckCheck size={18} aria-hidden="true" />
        {t`Mark all as read`}
      </Button>
      <Link
        to="/settings/notifications"
        className={styles.choose}
        aria-label={t`Choose what you are told`}
        title={t`Choose what you are told`}
        {...(onLeave && { onClick: onLeave })}
      >
        <Settings2 size={20} aria-hidden="true" />
      </Link>
    </div>
  );
}

/** By day, the newest first; more on request. */
export function Notices({ onLeave }: Leaves) {
  const { t } = useLingui();
  const list = useInfiniteQuery(noticesQuery);
  const isOnline = useIsOnline();
  const { dateOf } = useDates();
  const now = useNow();
  const { box, onMore } = useFocusOnMore('li > a, li > div > a');
  const notices = list.data?.pages.flatMap((page) => page?.notices ?? []);
  return (
    <Loading isLoading={list.isPending} skeleton={<NoticesSkeleton />}>
      {() =>
        notices ? (
          <div ref={box}>
            {!isOnline && (
              <p className={styles.offline} role="status">
                <WifiOff size={18} aria-hidden="true" />
                {t`You are offline. This is what was known last.`}
              </p>
            )}
            {notices.length === 0 && (
              <EmptyState
                title={t`Nothing new`}
                hint={t`When something happens to your miles or your team, you read it here.`}
              />
            )}
            {byDay(notices, now, dateOf).map((day) => (
              <OneDay key={day.on} day={day} onLeave={onLeave} />
            ))}
            {list.hasNextPage && (
              <Button
                variant="quiet"
                size="small"
                isWide
                className={styles.more}
                isBusy={list.isFetchingNextPage}
                onClick={() => {
                  onMore();
                  void list.fetchNextPage();
                }}
              >
                {t`Load more`}
              </Button>
            )}
            {list.isFetchNextPageError && <p role="alert">{t`More could not be loaded. Please try again.`}</p>}
          </div>
        ) : (
          <ErrorState
            title={isOnline ? t`Your notifications could not be loaded` : t`You are offline`}
            hint={isOnline ? t`Please try again later.` : t`They show as soon as you are back.`}
            onRetry={() => void list.refetch()}
          />
        )
      }
    </Loading>
  );
}

function OneDay({ day: { name, on, notices }, onLeave }: { day: Day } & Leaves) {
  const { t } = useLingui();
  // Below the panel's own heading, or the screen's.
  const Heading = onLeave ? 'h3' : 'h2';
  const names = { today: t`Today`, yesterday: t`Yesterday`, earlier: formatLocalDate(on, { dateStyle: 'long' }) };
  return (
    <section>
      <Heading className={styles.day}>{names[name]}</Heading>
      <ul className={styles.list}>
        {notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} onLeave={onLeave} />
        ))}
      </ul>
    </section>
  );
}

const waiting = ['a', 'b', 'c', 'd'];

const NoticesSkeleton = () => (
  <div className={styles.skeleton}>
    {waiting.map((key) => (
      <div key={key}>
        <Skeleton width={40} height={40} isRound />
        <div>
          <Skeleton width="85%" height={18} />
          <Skeleton width="30%" height={14} />
        </div>
      </div>
    ))}
  </div>
);
