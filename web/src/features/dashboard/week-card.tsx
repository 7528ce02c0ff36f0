import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { PartyPopper } from 'lucide-react';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { useDates } from '../../lib/dates.ts';
import { useNow } from '../../lib/now.ts';
import { useDistance } from '../../lib/units.ts';
import { Loaded } from '../../ui/error-boundary.tsx';
import { Card } from '../../ui/page.tsx';
import { Rolling } from '../../ui/text.tsx';
import { Trail } from '../../ui/trail.tsx';
import styles from './week-card.module.css';
import { daysLeft, weeklyGoalMiles } from './week.ts';

/** The hero of the dashboard: this week's miles on their way to the goal. */
export function WeekCard() {
  const { t } = useLingui();
  const stats = useQuery(dashboardStatsQuery);
  return (
    <Card title={t`This Week's Progress`} aside={<DaysLeft />} className={styles.card}>
      <Loaded query={stats} lost={t`Your week could not be loaded`} skeletonHeight={176}>
        {({ weeklyMiles }) => <Week miles={weeklyMiles} />}
      </Loaded>
    </Card>
  );
}

function Week({ miles }: { miles: number }) {
  const { t } = useLingui();
  const { figure, long, ...distance } = useDistance();
  const goal = figure(weeklyGoalMiles);
  const walked = figure(miles);
  const left = distance.left(weeklyGoalMiles - miles);
  return (
    <>
      <p className={styles.miles}>
        <b>
          <Rolling value={miles} format={figure} />
        </b>{' '}
        <Trans>
          of {goal} {long}
        </Trans>
      </p>
      <div className={styles.trail}>
        <Trail label={t`Weekly goal`} share={miles / weeklyGoalMiles} valueText={t`${walked} of ${goal} ${long}`} />
      </div>
      {miles < weeklyGoalMiles ? (
        <p className={styles.left}>
          <Trans>
            <b>
              {left} {long}
            </b>{' '}
            to go this week
          </Trans>
        </p>
      ) : (
        <p className={styles.reached}>
          <PartyPopper size={20} aria-hidden="true" />
          <Trans>Congratulations! You reached your weekly goal.</Trans>
        </p>
      )}
    </>
  );
}

function DaysLeft() {
  const { dateOf } = useDates();
  return <Plural value={daysLeft(dateOf(useNow()))} one="Last day" other="# days left" />;
}
