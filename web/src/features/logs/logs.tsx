import type { OwnLog } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { ownLogOf } from '../../lib/answers.ts';
import { useNow } from '../../lib/now.ts';
import { usePages } from '../../lib/use-pages.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { logsPath } from './api.ts';
import { CorrectLog } from './correct-log.tsx';
import { isChangeable } from './correction.ts';
import { Filters, type LogFilter } from './filters.tsx';
import { LogRow } from './log-row.tsx';
import styles from './logs.module.css';
import { RemoveLog } from './remove-log.tsx';

const pageSize = 5;

type Asked = { act: 'correct' | 'remove'; log: OwnLog };

/** One's own movements, newest first, to find again, to correct and to take back (D8). */
export function Logs() {
  const { t } = useLingui();
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState<LogFilter>({});
  const [asked, setAsked] = useState<Asked>();
  const pages = usePages<OwnLog>(logsPath, filter, pageSize, ownLogOf);
  const rows = pages.rows ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  const close = () => setAsked(undefined);
  // Nothing moved yet: the feed beside it says so already.
  if (pages.rows?.length === 0 && !isFiltered && pages.before === 0) return null;
  return (
    <Card title={t`Your movements`}>
      <div ref={list} tabIndex={-1} className={styles.logs}>
        <Filters filter={filter} names={rows.map(({ activityType }) => activityType)} onFilter={setFilter} />
        <Loading isLoading={pages.isPending} skeleton={<Skeleton height={240} />}>
          {() => (
            <>
              {pages.isError && !pages.rows && (
                <ErrorState title={t`Your movements could not be loaded`} onRetry={() => void pages.refetch()} />
              )}
              {pages.rows?.length === 0 && <NothingFound onAll={isFiltered ? () => setFilter({}) : undefined} />}
              <ul aria-busy={pages.isPlaceholderData}>
                {rows.map((log) => (
                  <LogRow
                    key={log.id}
                    log={log}
                    isChangeable={isChangeable(log, now)}
                    onAsk={(act) => setAsked({ act, log })}
                  />
                ))}
              </ul>
              <Pager
                label={t`Pages of your movements`}
                before={pages.before}
                count={rows.length}
                onPrevious={pages.onPrevious}
                onNext={pages.onNext}
              />
            </>
          )}
        </Loading>
      </div>
      {asked?.act === 'correct' && <CorrectLog log={asked.log} onClose={close} />}
      {asked?.act === 'remove' && (
        <RemoveLog log={asked.log} onClose={close} onRemoved={() => list.current?.focus({ preventScroll: true })} />
      )}
    </Card>
  );
}

function NothingFound({ onAll }: { onAll: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No movements here`}
      action={
        onAll && (
          <Button variant="quiet" size="small" onClick={onAll}>
            {t`Show all`}
          </Button>
        )
      }
    />
  );
}
