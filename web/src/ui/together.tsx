import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Loading } from './skeleton.tsx';

/** So long one card waits for the others. */
const patienceMilliseconds = 3000;

/**
 * Shows `children` together once every query has an answer or has failed, so that no card that comes later pushes away
 * what is already read. One that takes very long keeps nobody waiting: the others show without it, and stay.
 */
export function Together({
  queries,
  skeleton,
  children,
}: {
  queries: readonly { isPending: boolean }[];
  skeleton: ReactNode;
  children: ReactNode;
}) {
  const isAnswered = queries.every(({ isPending }) => !isPending);
  const [isShown, setIsShown] = useState(isAnswered);
  if (isAnswered && !isShown) setIsShown(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), patienceMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Loading isLoading={!isAnswered && !isShown} skeleton={skeleton}>
      {() => <Suspense fallback={skeleton}>{children}</Suspense>}
    </Loading>
  );
}
