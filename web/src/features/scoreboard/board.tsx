import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useDistance } from '../../lib/units.ts';
import { useGlide } from '../../lib/use-glide.ts';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './board.module.css';

/**
 * One's own place first, then the podium, the list and what stands beside it; on wide screens own place and podium
 * stand side by side, and so does what follows. @param order changes when somebody's place changes: then rows glide there
 */
export function Board({
  own,
  podium,
  rows,
  beside,
  order = '',
}: {
  own: ReactNode;
  podium: ReactNode;
  rows: ReactNode;
  beside?: ReactNode;
  order?: string;
}) {
  const board = useGlide<HTMLDivElement>(order);
  return (
    <div className={styles.board} ref={board}>
      <div className={styles.own}>{own}</div>
      <div className={styles.podium}>{podium}</div>
      <div className={styles.rows}>{rows}</div>
      <div className={styles.side}>
        <div className={styles.beside}>{beside}</div>
      </div>
    </div>
  );
}

const rows = ['a', 'b', 'c', 'd', 'e'];

/** The board's true layout before its rows. */
export const BoardSkeleton = () => (
  <Board
    own={<Skeleton height={410} />}
    podium={<Skeleton height={410} />}
    rows={
      <Card className={styles.skeleton}>
        {rows.map((key) => (
          <Skeleton key={key} height={44} />
        ))}
      </Card>
    }
  />
);

/** All miles and those of the week at the end of a row; those of `period` stand first. */
export function RowMiles({ of, period }: { of: { totalMiles: number; weeklyMiles: number }; period: BoardPeriod }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const total = figure(of.totalMiles);
  const weekly = figure(of.weeklyMiles);
  return (
    <div className={styles.miles}>
      <b>
        {period === 'week' ? weekly : total} <span>{short}</span>
      </b>
      {Number.isFinite(of.weeklyMiles) && <p>{period === 'week' ? t`${total} in all` : t`${weekly} this week`}</p>}
    </div>
  );
}
