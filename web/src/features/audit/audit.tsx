import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Download } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import { auditQuery, useDownloadAudit, type AuditFilter } from './api.ts';
import styles from './audit.module.css';
import { EntryRow } from './entry-row.tsx';
import { Filters } from './filters.tsx';

const dayOf = (at: string) =>
  formatDate(new Date(at), { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** Who did what in this organisation, day by day. */
export function Audit() {
  const { t } = useLingui();
  const [filter, setFilter] = useState<AuditFilter>({});
  const log = useInfiniteQuery(auditQuery(filter));
  const entries = log.data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  return (
    <Page
      title={t`Audit log`}
      width="text"
      lead={t`Who did what, when and from which device. Kept for a year.`}
      aside={
        <Button asChild variant="quiet" size="small">
          <Link to="/admin">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back`}
          </Link>
        </Button>
      }
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
            {[...Map.groupBy(entries, ({ at }) => dayOf(at))].map(([on, ofDay]) => (
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
