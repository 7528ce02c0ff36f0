import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './skeleton.module.css';
import { Hidden } from './text.tsx';

const delayMilliseconds = 150;
const leastMilliseconds = 300;

/** A quiet block of the size of what is coming. */
export const Skeleton = ({
  width = '100%',
  height = '1em',
  isRound,
}: {
  width?: number | string;
  height?: number | string;
  isRound?: boolean;
}) => <span className={clsx(styles.block, isRound && styles.round)} style={{ width, height }} aria-hidden="true" />;

/**
 * Holds the place of `children` while they load. What loads within 150 ms shows no skeleton, only its empty room; a
 * skeleton that has shown stays 300 ms, so that nothing flickers.
 */
export function Loading({
  isLoading,
  skeleton,
  children,
}: {
  isLoading: boolean;
  skeleton: ReactNode;
  children: () => ReactNode;
}) {
  const { t } = useLingui();
  const phase = useLoadingPhase(isLoading);
  if (phase === 'ready') return children();
  return (
    <div role="status" className={clsx(phase === 'waiting' && styles.waiting)}>
      <Hidden>{t`Loading`}</Hidden>
      {skeleton}
    </div>
  );
}

type Phase = 'waiting' | 'showing' | 'ready';

function useLoadingPhase(isLoading: boolean): Phase {
  const [shownAt, setShownAt] = useState<number | null>(null);
  useEffect(() => {
    if (isLoading === (shownAt !== null)) return undefined;
    const timer =
      shownAt === null
        ? setTimeout(() => setShownAt(Date.now()), delayMilliseconds)
        : setTimeout(() => setShownAt(null), Math.max(0, shownAt + leastMilliseconds - Date.now()));
    return () => clearTimeout(timer);
  }, [isLoading, shownAt]);
  if (shownAt !== null) return 'showing';
  return isLoading ? 'waiting' : 'ready';
}
