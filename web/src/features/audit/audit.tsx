import { auditKinds } from '@caravan/contracts/domain/audit';
import type { AuditEntry } from '@caravan/contracts/http/audit';
import { useLingui } from '@lingui/react/macro';
import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { download } from '../../lib/image-files.ts';
import { readPage } from '../../lib/pages.ts';
import { nullWhenSignedOut } from '../../lib/query-client.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PersonName } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './audit.module.css';
import { useActWords, useKindNames } from './use-words.ts';

const wholeDay = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Who did what in this organisation, day by day. */
export function Audit() {
  const { t } = useLingui();
  const { formatDate } = useDates();
  const [filter, setFilter] = useState<AuditFilter>({});
  const log = useInfiniteQuery(auditQuery(filter));
  const entries = log.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  return (
    <Page
      title={t`Audit log`}
      width="text"
      lead={t`Who did what, when and from which device. Kept for a year.`}
      aside={<BackLink to="/admin" />}
    >
      <Filters filter={filter} onFilter={setFilter} />
      <Loading isLoading={log.isPending} skeleton={<LogSkeleton />}>
        {() => (
          <>
            {log.isError && !log.data && (
              <Card>
                <ErrorState title={t`The audit log could not be loaded`} onRetry={() => void log.refetch()} />
              </Card>
            )}
            {log.data && entries.length === 0 && <Nothing filter={filter} onAll={() => setFilter({})} />}
            {[...Map.groupBy(entries, ({ at }) => formatDate(at, wholeDay))].map(([on, ofDay]) => (
              <section key={on} className={styles.day} aria-label={on}>
                <h2>{on}</h2>
                <Card>
                  <ul>
                    {ofDay.map((entry) => (
                      <EntryRow key={entry.id} entry={entry} />
                    ))}
                  </ul>
                </Card>
              </section>
            ))}
            <div className={styles.foot}>
              {log.hasNextPage && (
                <Button variant="quiet" isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                  {t`Load more`}
                </Button>
              )}
              {log.isFetchNextPageError && <p role="alert">{t`More could not be loaded. Please try again.`}</p>}
              {entries.length > 0 && <Export filter={filter} />}
            </div>
          </>
        )}
      </Loading>
    </Page>
  );
}

function Export({ filter }: { filter: AuditFilter }) {
  const { t } = useLingui();
  const { mutate, isPending } = useDownloadAudit();
  const complain = (error: Error) =>
    toast({
      title: t`The log was not exported`,
      description: serverMessage(error, t`Please try again later.`),
      tone: 'error',
    });
  return (
    <Button variant="quiet" isBusy={isPending} onClick={() => mutate(filter, { onError: complain })}>
      <Download size={20} aria-hidden="true" />
      {t`Export as CSV`}
    </Button>
  );
}

function Nothing({ filter, onAll }: { filter: AuditFilter; onAll: () => void }) {
  const { t } = useLingui();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Card>
      <EmptyState
        title={isFiltered ? t`Nothing like that was done` : t`Nothing was done yet`}
        hint={isFiltered ? undefined : t`What admins do from now on stands here.`}
        action={
          isFiltered && (
            <Button variant="quiet" size="small" onClick={onAll}>
              {t`Show all`}
            </Button>
          )
        }
      />
    </Card>
  );
}

const LogSkeleton = () => (
  <Card className={styles.waiting}>
    {['68%', '54%', '72%', '48%'].map((width) => (
      <Skeleton key={width} width={width} height={20} />
    ))}
  </Card>
);

/** Who did what, when and from where. */
function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useLingui();
  const { formatDate } = useDates();
  const words = useActWords()(entry);
  const { at, actor, device } = entry;
  return (
    <li className={styles.row}>
      <time className={styles.time} dateTime={at}>
        {formatDate(at, { timeStyle: 'short' })}
      </time>
      <p className={styles.what}>
        <PersonName className={styles.who} profileId={actor?.profileId} name={actor?.name ?? t`The operator`} /> {words}
      </p>
      {device !== null && <p className={styles.device}>{device}</p>}
    </li>
  );
}

/** By kind and by dates. */
function Filters({ filter, onFilter }: { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }) {
  const { t } = useLingui();
  const names = useKindNames();
  const change = (part: AuditFilter) =>
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')));
  return (
    <search className={styles.filters} aria-label={t`Filter the audit log`}>
      <SelectField
        label={t`Kind`}
        value={filter.kind ?? ''}
        options={[
          { value: '', label: t`Everything` },
          ...auditKinds.map((kind) => ({ value: kind, label: names[kind] })),
        ]}
        onChange={(kind) => change({ kind })}
      />
      <DateField label={t`From`} max={filter.to} value={filter.from ?? ''} onValue={(from) => change({ from })} />
      <DateField label={t`To`} min={filter.from} value={filter.to ?? ''} onValue={(to) => change({ to })} />
    </search>
  );
}

const path = '/api/audit';
const pageSize = 25;

/** Dates are local ones, both included. */
type AuditFilter = Partial<Record<'kind' | 'from' | 'to', string>>;

/** The log page by page, newest first; looked at anew whenever somebody comes to it. */
const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [path, filter],
    queryFn: ({ pageParam, signal }) =>
      nullWhenSignedOut(
        readPage<AuditEntry>(
          path,
          { ...filter, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
          signal,
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page?.next ?? undefined,
    staleTime: 0,
    gcTime: 0,
  });

const useDownloadAudit = () =>
  useMutation({
    mutationFn: (filter: AuditFilter) =>
      download(`${path}/file?${new URLSearchParams(filter)}`, 'text/csv', 'caravan-audit.csv'),
  });
