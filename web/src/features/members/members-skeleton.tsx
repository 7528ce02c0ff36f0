import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './members.module.css';

export const MembersSkeleton = () => (
  <Card className={styles.waiting}>
    {['34%', '46%', '28%', '40%', '36%', '44%'].map((width) => (
      <div key={width}>
        <Skeleton width={width} height={18} />
        <Skeleton width={180} height={14} />
      </div>
    ))}
  </Card>
);
