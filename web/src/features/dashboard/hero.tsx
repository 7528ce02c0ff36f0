import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Flag, Play } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useBranding } from '../../lib/branding.ts';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { meQuery } from '../../lib/me.ts';
import { ownDaysQuery } from '../../lib/own-days.ts';
import { useSession } from '../../lib/session-state.ts';
import { useDistance } from '../../lib/units.ts';
import { weeklyGoalMiles } from '../../lib/weekly-goal.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/error-boundary.tsx';
import { Wordmark } from '../../ui/narrow-card.tsx';
import { SceneTop } from '../../ui/page.tsx';
import { Scene } from '../../ui/scene/scene.tsx';
import { SevenDays } from '../../ui/scene/seven-days.tsx';
import { stonesOf } from '../../ui/scene/stones.ts';
import { Rolling } from '../../ui/text.tsx';
import styles from './hero.module.css';

/** The hero of the dashboard: the own week, day by day, above the team's road. */
export function Hero({ road }: { road: ReactNode }) {
  const { t } = useLingui();
  const { user } = useSession();
  const { welcomeMessage } = useBranding();
  const me = useQuery(meQuery);
  const name = me.data?.name ?? user?.name ?? '';
  const isWon = (useQuery(dashboardStatsQuery).data?.weeklyMiles ?? 0) >= weeklyGoalMiles;
  return (
    <Scene
      seed={3}
      className={clsx(styles.hero, isWon && styles.won)}
      sun={{ className: clsx(styles.sun, isWon && styles.risen), hasRays: isWon }}
    >
      <div className={styles.inside}>
        <SceneTop>
          <Link to="/dashboard" className={styles.logo}>
            <Wordmark />
          </Link>
        </SceneTop>
        <div className={styles.greeting}>
          <h1 tabIndex={-1}>{t`Let's go, ${name}`}</h1>
          <p className={styles.lead}>
            <b>{t`Your team is counting on you`}</b> <bdi>{welcomeMessage}</bdi>
          </p>
        </div>
        <Week />
        <Days isNewcomer={me.data?.totalMiles === 0} />
      </div>
      {road}
    </Scene>
  );
}

function Week() {
  const { t } = useLingui();
  const stats = useQuery(dashboardStatsQuery);
  const titleId = useId();
  return (
    <section className={styles.week} aria-labelledby={titleId}>
      <h2 id={titleId}>{t`This Week's Progress`}</h2>
      <Loaded query={stats} lost={t`Your week could not be loaded`} skeletonHeight={152}>
        {({ weeklyMiles }) => <Figures miles={weeklyMiles} />}
      </Loaded>
    </section>
  );
}

function Figures({ miles }: { miles: number }) {
  const { t } = useLingui();
  const { figure, long, ...distance } = useDistance();
  const goal = figure(weeklyGoalMiles);
  const walked = figure(miles);
  const left = distance.left(weeklyGoalMiles - miles);
  const share = Math.min(1, Math.max(0, miles / weeklyGoalMiles));
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
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={t`Weekly goal`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={t`${walked} of ${goal} ${long}`}
      >
        <i style={{ inlineSize: `${share * 100}%` }} />
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
          <Flag size={22} aria-hidden="true" />
          <Trans>Congratulations! You reached your weekly goal.</Trans>
        </p>
      )}
    </>
  );
}

/** The week as milestones. Without an answer they are missing, and nothing else (D44). */
function Days({ isNewcomer }: { isNewcomer: boolean }) {
  const { t } = useLingui();
  const { data, isError } = useQuery(ownDaysQuery);
  if (isError || data?.today === '') return null;
  return (
    <div className={styles.days}>
      {isNewcomer && (
        <div className={styles.beginning}>
          <p>{t`Each day you move, a milestone stands here.`}</p>
          <Button asChild variant="white">
            <Link to="/timer">
              <Play size={18} aria-hidden="true" />
              {t`Take the first ten minutes`}
            </Link>
          </Button>
        </div>
      )}
      {data && <SevenDays stones={stonesOf(data)} />}
    </div>
  );
}
