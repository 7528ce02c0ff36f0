import type { DashboardStats } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Loaded } from '../../ui/error-boundary.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PersonName, RelativeTime } from '../../ui/text.tsx';
import styles from './recent-activity.module.css';

const shownActivities = 3;

type Activity = DashboardStats['recentActivities'][number];

/** What colleagues did last (2.62). */
export function RecentActivity() {
  const { t } = useLingui();
  const stats = useQuery(dashboardStatsQuery);
  const isAny = (stats.data?.recentActivities.length ?? 0) > 0;
  return (
    <Card
      tone="paper"
      title={t`Recent Team Activity`}
      aside={
        isAny && (
          <Link to="/activity-feed" className={styles.all}>
            {t`View All`}
          </Link>
        )
      }
    >
      <Loaded query={stats} lost={t`Recent activity could not be loaded`} skeletonHeight={158}>
        {({ recentActivities }) =>
          recentActivities.length === 0 ? (
            <NobodyYet />
          ) : (
            <ul className={styles.list}>
              {recentActivities.slice(0, shownActivities).map((activity) => (
                <Row key={activity.id} activity={activity} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Row({
  activity: { teamEmoji, profileId, userName, activityType, createdAt, timeAgo, ...rest },
}: {
  activity: Activity;
}) {
  const { figure, short } = useDistance();
  const miles = figure(rest.miles);
  return (
    <li className={styles.row}>
      <span className={styles.face} aria-hidden="true">
        <Avatar name={userName} />
        <em>{teamEmoji}</em>
      </span>
      <div className={styles.who}>
        <b>
          <PersonName profileId={profileId} name={userName} />
        </b>
        <p>
          <bdi>{activityType}</bdi>&nbsp;· <RelativeTime at={createdAt} otherwise={timeAgo} />
        </p>
      </div>
      <span className={styles.miles}>
        +{miles} <small>{short}</small>
      </span>
    </li>
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
