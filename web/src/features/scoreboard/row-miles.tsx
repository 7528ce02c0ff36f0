import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { useDistance } from '../../lib/units.ts';
import styles from './rows.module.css';

/** All miles and those of the week at the end of a row; those of `period` stand first. */
export function RowMiles({ of, period }: { of: { totalMiles: number; weeklyMiles: number }; period: BoardPeriod }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const [total, weekly] = [figure(of.totalMiles), figure(of.weeklyMiles)];
  return (
    <div className={styles.miles}>
      <b>
        {period === 'week' ? weekly : total} <span>{short}</span>
      </b>
      {Number.isFinite(of.weeklyMiles) && <p>{period === 'week' ? t`${total} in all` : t`${weekly} this week`}</p>}
    </div>
  );
}
