import type { DashboardStats } from '@caravan/contracts/http/scores';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { formatPercent } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import { useDistance } from '../../lib/units.ts';
import { RaceLane } from '../../ui/charts/race.tsx';
import { Loaded } from '../../ui/error-boundary.tsx';
import { Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Rolling } from '../../ui/text.tsx';
import styles from './team-progress.module.css';
import { teamsToShow } from './week.ts';

type Team = DashboardStats['teamProgress'][number];

/** Every team's miles of this week on the way to the weekly team goal (D45). */
export function TeamProgress() {
  const { t } = useLingui();
  const stats = useQuery(dashboardStatsQuery);
  const ownTeamId = useQuery(meQuery).data?.team.id;
  return (
    <Card title={t`Team Progress`} aside={t`this week`}>
      <Loaded query={stats} lost={t`Team progress could not be loaded`} skeletonHeight={190}>
        {({ teamProgress }) =>
          teamProgress.length === 0 ? (
            <EmptyState title={t`No team is on its way yet`} />
          ) : (
            <ul className={styles.teams}>
              {teamsToShow(teamProgress, ownTeamId).map((team) => (
                <TeamRow key={team.id} team={team} isOwn={team.id === ownTeamId} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function TeamRow({ team, isOwn }: { team: Team; isOwn: boolean }) {
  const { t } = useLingui();
  const { units, figure, brief, long } = useDistance();
  const share = team.goalMiles > 0 ? team.miles / team.goalMiles : 0;
  const miles = figure(team.miles);
  const goal = brief(team.goalMiles);
  const percent = formatPercent(share);
  return (
    <li>
      <div className={styles.head}>
        <b className={styles.name}>
          <bdi>{team.name}</bdi>
        </b>
        {isOwn && <Tag tone="brand">{t`your team`}</Tag>}
        <span className={styles.miles}>
          <b>
            <Rolling value={team.miles} format={figure} />
          </b>{' '}
          {long}
        </span>
      </div>
      <RaceLane
        label={team.name}
        share={share}
        valueText={t`${miles} of ${goal} ${long}`}
        emblem={team.emoji}
        isOwn={isOwn}
      />
      <p className={styles.goal}>
        {units === 'metric' ? (
          <Trans>
            {percent} of the {goal} km goal
          </Trans>
        ) : (
          <Trans>
            {percent} of a {goal}-mile goal
          </Trans>
        )}
      </p>
    </li>
  );
}
