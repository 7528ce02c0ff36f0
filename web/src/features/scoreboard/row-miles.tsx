import { useLingui } from '@lingui/react/macro';
import { useDistance } from '../../lib/units.ts';
import styles from './rows.module.css';
import type { ShownMiles } from './standing.ts';

/** All miles and those of the week at the end of a row; `shown` stands first. */
export function RowMiles({ of, shown }: { of: { totalMiles: number; weeklyMiles: number }; shown: ShownMiles }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const [total, weekly] = [figure(of.totalMiles), figure(of.weeklyMiles)];
  return (
    <div className={styles.miles}>
      <b>
        {shown === 'week' ? weekly : total} <span>{short}</span>
      </b>
      <p>{shown === 'week' ? t`${total} in all` : t`${weekly} this week`}</p>
    </div>
  );
}
