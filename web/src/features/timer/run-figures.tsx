import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { useDistance } from '../../lib/units.ts';
import { coveredMiles, isDoubled, milesSoFar, type Purpose } from './run.ts';
import styles from './timer.module.css';

/** Beside the clock on wide screens: the distance of this run, and the week's miles including it. */
export function RunFigures({ purpose, seconds }: { purpose: Purpose; seconds: number }) {
  const { t } = useLingui();
  const { exactly, figure, short } = useDistance();
  const { data: stats } = useQuery(dashboardStatsQuery);
  const earned = milesSoFar(seconds) * (isDoubled(purpose) ? 2 : 1);
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{t`Distance, about`}</dt>
        <dd>
          {exactly(coveredMiles(purpose.activity, seconds))} <small>{short}</small>
        </dd>
      </div>
      {stats && (
        <div>
          <dt>{t`This week, with it`}</dt>
          <dd>
            {figure(stats.weeklyMiles + earned)} <small>{short}</small>
          </dd>
        </div>
      )}
    </dl>
  );
}
