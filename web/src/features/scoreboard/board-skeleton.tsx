import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Board } from './board.tsx';
import styles from './board-skeleton.module.css';

const rows = ['a', 'b', 'c', 'd', 'e'];

/** The board's true layout before its rows. */
export const BoardSkeleton = () => (
  <Board
    own={<Skeleton height={122} />}
    rows={
      <>
        <Skeleton height={284} />
        <Card className={styles.card}>
          {rows.map((key) => (
            <Skeleton key={key} height={44} />
          ))}
        </Card>
      </>
    }
  />
);
