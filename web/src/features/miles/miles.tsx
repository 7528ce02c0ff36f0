import type { Miles as MilesAnswer, MilesEntry } from '@caravan/contracts/http/scores';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useId } from 'react';
import { ledgerOf } from '../../lib/answers.ts';
import { client } from '../../lib/api/generated/client.gen.ts';
import { formatLocalDate, useDates } from '../../lib/dates.ts';
import { nextCursor } from '../../lib/pages.ts';
import { nullWhenSignedOut } from '../../lib/query-client.ts';
import { useDistance } from '../../lib/units.ts';
import { Back } from '../../ui/back-link.tsx';
import { Button, Tag } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Hidden } from '../../ui/text.tsx';
import { type Day, daysOf, type Line } from './ledger.ts';
import styles from './miles.module.css';

/** 'Why this total?': every mile has an entry, and every entry says in a sentence where it came from (D9). */
export function Miles() {
  const { t } = useLingui();
  const ledger = useInfiniteQuery(milesQuery);
  const pages = ledger.data?.pages.filter((page) => page !== null) ?? [];
  const total = pages[0]?.totalMiles ?? 0;
  const { exactly, long } = useDistance();
  const days = daysOf(pages);
  return (
    <Page
      title={t`Why this total?`}
      lead={t`Every entry that your miles are made of, day by day, the newest first.`}
      before={<Back />}
      width="text"
    >
      <Loading isLoading={ledger.isPending} skeleton={<Skeleton height={320} />}>
        {() => (
          <Stack>
            {ledger.isError && !ledger.data && (
              <Card>
                <ErrorState
                  title={t`Your miles could not be loaded`}
                  hint={t`Please try again later.`}
                  onRetry={() => void ledger.refetch()}
                />
              </Card>
            )}
            {ledger.data && days.length === 0 && <NoMilesYet />}
            {days.length > 0 && (
              <p className={styles.total}>
                <b>{exactly(total)}</b> {long}
              </p>
            )}
            {days.length > 0 && (
              <div className={styles.days}>
                {days.map((day) => (
                  <DayOf key={day.on} day={day} />
                ))}
              </div>
            )}
            {ledger.hasNextPage && (
              <Button
                variant="quiet"
                isWide
                isBusy={ledger.isFetchingNextPage}
                onClick={() => void ledger.fetchNextPage()}
              >
                {t`Show earlier miles`}
              </Button>
            )}
            {ledger.isFetchNextPageError && <p role="alert">{t`Earlier miles could not be loaded`}</p>}
          </Stack>
        )}
      </Loading>
    </Page>
  );
}

function NoMilesYet() {
  const { t } = useLingui();
  return (
    <Card>
      <EmptyState
        title={t`No miles yet`}
        hint={t`Ten minutes of any activity are the first one.`}
        action={
          <Button asChild>
            <Link to="/timer">{t`Start the timer`}</Link>
          </Button>
        }
      />
    </Card>
  );
}

function DayOf({ day }: { day: Day }) {
  const id = useId();
  // Of a single entry the sum would say the same again.
  const isSum = day.lines.length > 1 || day.lines[0]?.miles !== day.miles;
  return (
    <section className={styles.day} aria-labelledby={id}>
      <div className={styles.dayHead}>
        <h2 id={id}>{formatLocalDate(day.on, { dateStyle: 'full' })}</h2>
        {isSum && <Amount miles={day.miles} />}
      </div>
      <ol>
        {day.lines.map((line) => (
          <EntryRow key={`${line.at} ${line.miles} ${line.totalMiles}`} line={line} />
        ))}
      </ol>
    </section>
  );
}

const kinds: Partial<Record<MilesEntry['kind'], MessageDescriptor>> = {
  correction: msg`Correction`,
  removal: msg`Removed`,
  'weekly-bonus': msg`Weekly challenge`,
  'weekly-bonus-withdrawn': msg`Taken back`,
};

function EntryRow({ line }: { line: Line }) {
  const { t, i18n } = useLingui();
  const { exactly } = useDistance();
  const kind = kinds[line.kind];
  const after = exactly(line.totalMiles);
  return (
    <li className={styles.line}>
      <div className={styles.why}>
        <p>{line.explanation}</p>
        <p className={styles.when}>
          <EnteredAt line={line} />
          {kind && <Tag tone={line.miles < 0 ? 'plain' : 'good'}>{i18n._(kind)}</Tag>}
        </p>
      </div>
      <div className={styles.sums}>
        <Amount miles={line.miles} />
        <span className={styles.after}>
          <Hidden>{t`Total after it:`}</Hidden> <span aria-hidden="true">=</span> {after}
        </span>
      </div>
    </li>
  );
}

/** The time of day; the date as well where it is not the one that the miles count for. */
function EnteredAt({ line: { at, on } }: { line: Line }) {
  const { t } = useLingui();
  const { formatDate, dateOf } = useDates();
  const time = formatDate(at, { timeStyle: 'short' });
  const enteredOn = dateOf(at);
  const isOtherYear = enteredOn.slice(0, 4) !== on.slice(0, 4);
  const day = formatDate(at, { month: 'short', day: 'numeric', ...(isOtherYear && { year: 'numeric' }) });
  return <time dateTime={at}>{enteredOn !== on ? t`entered on ${day}, ${time}` : time}</time>;
}

/** With its sign: a true minus where miles were taken back. */
function Amount({ miles }: { miles: number }) {
  const { exactly, short } = useDistance();
  const sign = miles < 0 ? '−' : '+';
  return (
    <span className={clsx(styles.amount, miles < 0 ? styles.taken : styles.given)}>
      {sign}
      {exactly(Math.abs(miles))} {short}
    </span>
  );
}

const pageSize = 25;

type LedgerPage = MilesAnswer & { next: string | null };

async function readLedger(cursor: string | null, signal: AbortSignal): Promise<LedgerPage> {
  const { data, response } = await client.get<{ 200: MilesAnswer }, unknown, true>({
    url: '/api/miles',
    query: { limit: pageSize, ...(cursor !== null && { cursor }) },
    responseStyle: 'fields',
    throwOnError: true,
    signal,
  });
  return { ...ledgerOf(data), next: nextCursor(response.headers.get('link')) };
}

/** The own ledger, newest first; every page carries the total that all entries add up to (D9). */
const milesQuery = infiniteQueryOptions({
  queryKey: ['/api/miles'],
  queryFn: ({ pageParam, signal }) => nullWhenSignedOut(readLedger(pageParam, signal)),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page?.next ?? undefined,
});
