import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { formatPercent } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { RaceLane } from '../../ui/charts/race.tsx';
import styles from './team-race.module.css';
import { ownFirst } from './weeks.ts';

const lanes = 2;

/** One's own team and the best of the others on the way to the week's goal (D45); missing while its answer is (D44). */
export function TeamRace({ ownTeamId }: { ownTeamId: string }) {
  const { t } = useLingui();
  const { units, figure, brief, long } = useDistance();
  const { data } = useQuery(dashboardStatsQuery);
  const byMiles = (data?.teamProgress ?? []).toSorted((one, other) => other.miles - one.miles);
  const teams = ownFirst(byMiles, ownTeamId, lanes);
  if (teams.length === 0) return null;
  return (
    <section className={styles.race} aria-label={t`Team Progress`}>
      <div className={styles.heading}>
        <h3>{t`Team Progress`}</h3>
        <span>{t`this week`}</span>
      </div>
      <ul className={styles.lanes}>
        {teams.map(({ id, name, emoji, miles, goalMiles }) => {
          const share = goalMiles > 0 ? miles / goalMiles : 0;
          const reached = figure(miles);
          const goal = brief(goalMiles);
          const percent = formatPercent(share);
          return (
            <li key={id}>
              <p className={styles.head}>
                <bdi>{name}</bdi>
                <span>
                  <b>{reached}</b> {long}
                </span>
              </p>
              <RaceLane
                label={name}
                share={share}
                valueText={t`${reached} of ${goal} ${long}`}
                emblem={emoji}
                isOwn={id === ownTeamId}
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
        })}
      </ul>
    </section>
  );
}
