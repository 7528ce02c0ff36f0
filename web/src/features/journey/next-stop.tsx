import type { Journey } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { useDistance } from '../../lib/units.ts';
import { Scene } from '../../ui/scene/scene.tsx';
import { Hidden } from '../../ui/text.tsx';
import styles from './next-stop.module.css';
import { LegStrip } from './team-road.tsx';

/** The own team's next stop and what is left to it: the hero of the journey's screen (D33). */
export function NextStop({ journey, ownTeamId }: { journey: Journey; ownTeamId: string | null }) {
  const { t } = useLingui();
  const { left, figure, long } = useDistance();
  const titleId = useId();
  const { route, teams } = journey;
  const own = teams.find(({ id }) => id === ownTeamId);
  if (!own) return null;
  const { name, emoji, miles, nextCheckpoint, milesToNext } = own;
  const toGo = left(milesToNext);
  const walked = figure(miles);
  const all = figure(route.totalMiles);
  const share = route.totalMiles > 0 ? Math.min(1, miles / route.totalMiles) : 0;
  return (
    <Scene seed={13} className={styles.next} sun={{ className: styles.sun }} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        {nextCheckpoint === null ? (
          <Trans>
            {emoji} {name} has completed the route
          </Trans>
        ) : (
          <>
            <Hidden>
              <Trans>
                {emoji} {name}: {toGo} {long} to {nextCheckpoint}
              </Trans>
            </Hidden>
            <span className={styles.label} aria-hidden="true">{t`Next stop`}</span>
            <bdi aria-hidden="true">{nextCheckpoint}</bdi>
          </>
        )}
      </h2>
      {nextCheckpoint !== null && (
        <p className={styles.toGo} aria-hidden="true">
          <b>{toGo}</b> <Trans>{long} to go</Trans>
        </p>
      )}
      <p className={styles.walked}>
        <Trans>
          {walked} of {all} {long} walked together.
        </Trans>
      </p>
      <div
        className={styles.road}
        role="progressbar"
        aria-label={t`${name} on the route`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={t`${walked} of ${all} ${long}`}
      >
        <LegStrip journey={journey} own={own} />
      </div>
    </Scene>
  );
}
