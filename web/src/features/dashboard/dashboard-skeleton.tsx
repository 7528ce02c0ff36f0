import { Card } from '../../ui/card.tsx';
import { Columns } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './dashboard-skeleton.module.css';

const threefold = ['a', 'b', 'c'];

/** The dashboard's true layout before its figures. */
export const DashboardSkeleton = () => (
  <Columns
    main={
      <>
        <Card className={styles.week}>
          <Skeleton width={190} height={22} />
          <Skeleton width={210} height={52} />
          <Skeleton height={72} />
          <Skeleton width={170} height={20} />
        </Card>
        <div className={styles.stats}>
          {threefold.map((key) => (
            <Skeleton key={key} height={106} />
          ))}
        </div>
        <Card className={styles.week}>
          <Skeleton width={150} height={22} />
          <Skeleton height={84} />
          <Skeleton height={84} />
        </Card>
      </>
    }
    side={
      <Card className={styles.week}>
        <Skeleton width={190} height={22} />
        {threefold.map((key) => (
          <Skeleton key={key} height={42} />
        ))}
      </Card>
    }
  />
);
