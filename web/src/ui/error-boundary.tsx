import { useLingui } from '@lingui/react/macro';
import { CatchBoundary } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from './page.tsx';
import { Loading, Skeleton } from './skeleton.tsx';
import { ErrorState } from './states.tsx';

/** A card that stands alone: when it breaks, only it says so. */
export const ErrorBoundary = ({ children }: { children: ReactNode }) => (
  <CatchBoundary getResetKey={() => 'card'} errorComponent={BrokenCard}>
    {children}
  </CatchBoundary>
);

function BrokenCard({ reset }: { reset: () => void }) {
  const { t } = useLingui();
  return (
    <Card>
      <ErrorState title={t`This card stumbled.`} hint={t`Your miles are safe.`} onRetry={reset} />
    </Card>
  );
}

/** What a card shows of one answer: its place while it loads, what was lost when it cannot be had. */
export function Loaded<Data>({
  query: { data, isError, refetch },
  skeletonHeight,
  lost,
  children,
}: {
  query: { data: Data | null | undefined; isError: boolean; refetch: () => Promise<unknown> };
  skeletonHeight: number;
  lost: string;
  children: (data: Data) => ReactNode;
}) {
  const { t } = useLingui();
  const isThere = data !== null && data !== undefined;
  return (
    <Loading isLoading={!isError && !isThere} skeleton={<Skeleton height={skeletonHeight} />}>
      {() =>
        isThere ? (
          children(data)
        ) : (
          <ErrorState title={lost} hint={t`Please try again later.`} onRetry={() => void refetch()} />
        )
      }
    </Loading>
  );
}
