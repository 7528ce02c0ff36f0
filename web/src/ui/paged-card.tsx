import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { usePages } from '../lib/pages.ts';
import { Card } from './page.tsx';
import { Pager } from './pager.tsx';
import styles from './paged-card.module.css';
import { Loading, Skeleton } from './skeleton.tsx';
import { EmptyState, ErrorState } from './states.tsx';

/** A long list in a card, page by page: while it loads, when it is empty, and when it could not be loaded. */
export function PagedCard<Row>({
  pages,
  label,
  action,
  empty,
  failed,
  className,
  row,
}: {
  pages: ReturnType<typeof usePages<Row>>;
  /** Names the way through the pages. */
  label: string;
  /** Adds to the list: above it, or in place of it while it is empty. */
  action: ReactNode;
  empty: { title: string; hint: string };
  /** Says that the list could not be loaded. */
  failed: string;
  /** Of the list itself. */
  className?: string | undefined;
  /** An item of the list, with its key. */
  row: (row: Row) => ReactNode;
}) {
  const { t } = useLingui();
  return (
    <>
      {pages.rows && pages.rows.length > 0 && <div className={styles.action}>{action}</div>}
      <Loading isLoading={pages.isPending} skeleton={<RowsSkeleton />}>
        {() => (
          <Card>
            {pages.rows?.length === 0 && <EmptyState {...empty} action={action} />}
            {!pages.rows && (
              <ErrorState title={failed} hint={t`Please try again later.`} onRetry={() => void pages.refetch()} />
            )}
            <ul className={className}>{pages.rows?.map(row)}</ul>
          </Card>
        )}
      </Loading>
      <Pager label={label} count={pages.rows?.length ?? 0} {...pages} />
    </>
  );
}

const RowsSkeleton = () => (
  <Card className={styles.waiting}>
    {['52%', '44%', '60%'].map((width) => (
      <div key={width}>
        <Skeleton width={width} height={20} />
        <Skeleton width={220} height={14} />
      </div>
    ))}
  </Card>
);
