import type { DashboardStats } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PersonName } from '../../ui/person-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { EmptyState } from '../../ui/states.tsx';
import styles from './recent-activity.module.css';

const shownActivities = 3;

/** What colleagues did last (2.62). */
export function RecentActivity({ activities }: { activities: DashboardStats['recentActivities'] }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  return (
    <Card
      title={t`Recent Team Activity`}
      aside={
        activities.length > 0 && (
          <Link to="/feed" className={styles.all}>
            {t`View All`}
          </Link>
        )
      }
    >
      {activities.length === 0 && <NobodyYet />}
      <ul className={styles.list}>
        {activities.slice(0, shownActivities).map((activity) => {
          const miles = figure(activity.miles);
          return (
            <li key={activity.id} className={styles.row}>
              <span className={styles.team} aria-hidden="true">
                {activity.teamEmoji}
              </span>
              <div className={styles.who}>
                <b>
                  <PersonName profileId={activity.profileId} name={activity.userName} />
                </b>
                <p>
                  {activity.activityType} · <RelativeTime at={activity.createdAt} />
                </p>
              </div>
              <span className={styles.miles}>
                +{miles} {short}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function NobodyYet() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nobody has moved yet`}
      hint={t`Take the first ten minutes; they are the team's first mile.`}
      action={
        <Button asChild size="small">
          <Link to="/timer">{t`Start the timer`}</Link>
        </Button>
      }
    />
  );
}
