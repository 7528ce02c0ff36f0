import type { SyncRun } from '@caravan/contracts/http/fitness';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect } from 'react';
import { Card } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Hidden, RelativeTime } from '../../ui/text.tsx';
import { useSyncRuns } from './api.ts';
import { providerNames } from './device.ts';
import styles from './workouts.module.css';
import { causeWords, runFailureWords, skipWords } from './words.ts';

/** When something was fetched, and what came of it, in plain words. */
export function SyncHistory() {
  const { t } = useLingui();
  const pages = useSyncRuns();
  useRefetchWhile(pages.rows?.some(({ state }) => state === 'running') ?? false, pages.refetch);
  return (
    <Card title={t`Sync history`}>
      <Loading isLoading={pages.isPending} skeleton={<Skeleton height={240} />}>
        {() => (
          <>
            {pages.isError && !pages.rows && (
              <ErrorState title={t`Your sync history could not be loaded`} onRetry={() => void pages.refetch()} />
            )}
            {pages.rows?.length === 0 && (
              <EmptyState title={t`No sync yet`} hint={t`Each one stands here, with what it brought.`} />
            )}
            <ol className={styles.rows} aria-busy={pages.isPlaceholderData}>
              {pages.rows?.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </ol>
            <Pager label={t`Pages of your sync history`} count={pages.rows?.length ?? 0} {...pages} />
          </>
        )}
      </Loading>
    </Card>
  );
}

const againMilliseconds = 2000;

/** Nothing tells the page that a run went on, so it asks. */
function useRefetchWhile(isRunning: boolean, refetch: () => Promise<unknown>): void {
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void refetch(), againMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
}

function RunRow({ run }: { run: SyncRun }) {
  const { t, i18n } = useLingui();
  const { provider, cause, state, startedAt, skipped, failure } = run;
  const name = providerNames[provider];
  return (
    <li className={styles.run} data-state={state}>
      <RunMark state={state} />
      <div>
        <b>{name}</b>
        <p className={styles.why}>
          {i18n._(causeWords(cause, name))}&nbsp;· <RelativeTime at={startedAt} />
        </p>
        {failure && <p>{i18n._(runFailureWords(failure, name))}</p>}
        {state === 'failed' && !failure && <p>{t`It did not work. We try again by ourselves.`}</p>}
        {state === 'running' && <p>{t`Under way …`}</p>}
        <Brought run={run} />
        {skipped.length > 0 && (
          <ul className={styles.skipped} aria-label={t`Skipped`}>
            {skipped.map(({ why, count }) => {
              const reason = i18n._(skipWords(why, name));
              return <li key={why}>{plural(count, { one: `# skipped: ${reason}`, other: `# skipped: ${reason}` })}</li>;
            })}
          </ul>
        )}
      </div>
    </li>
  );
}

function RunMark({ state }: { state: SyncRun['state'] }) {
  const { t } = useLingui();
  const marks = {
    running: { Icon: LoaderCircle, label: t`Running` },
    done: { Icon: CircleCheck, label: t`Done` },
    failed: { Icon: CircleAlert, label: t`Failed` },
  };
  const { Icon, label } = marks[state];
  return (
    <span className={styles.runMark}>
      <Icon size={20} aria-hidden="true" />
      <Hidden>{label}</Hidden>
    </span>
  );
}

/** What a run changed; what has failed before it changed anything says nothing of it. */
function Brought({ run: { state, imported, updated, removed } }: { run: SyncRun }) {
  const { t } = useLingui();
  const parts = [
    imported > 0 && plural(imported, { one: '# new workout', other: '# new workouts' }),
    updated > 0 && plural(updated, { one: '# changed', other: '# changed' }),
    removed > 0 && plural(removed, { one: '# removed', other: '# removed' }),
  ].filter((part) => part !== false);
  if (parts.length > 0) return <p>{parts.join('\u00a0· ')}</p>;
  return state === 'done' ? <p>{t`Nothing new`}</p> : null;
}
