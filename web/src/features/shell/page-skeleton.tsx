import { Card } from '../../ui/card.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import styles from './page-skeleton.module.css';

/** A screen whose content is not known yet. */
export const PageSkeleton = () => (
  <Loading
    isLoading
    skeleton={
      <div className={styles.page}>
        <Skeleton width={220} height={36} />
        <Card className={styles.card}>
          <Skeleton width={160} height={20} />
          <Skeleton width={200} height={48} />
          <Skeleton height={64} />
        </Card>
      </div>
    }
  >
    {() => null}
  </Loading>
);
