import type { Journey } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useDistance } from '../../lib/units.ts';
import { Card } from '../../ui/page.tsx';
import { Trail } from '../../ui/trail.tsx';
import styles from './journey.module.css';

/** The own team's next stop and what is left to it, in words and as a trail (D33). */
export function NextStop({ journey: { route, teams }, ownTeamId }: { journey: Journey; ownTeamId: string | null }) {
  const { t } = useLingui();
  const { left, figure, long } = useDistance();
  const team = teams.find(({ id }) => id === ownTeamId);
  if (!team) return null;
  const { name, emoji, miles, nextCheckpoint, milesToNext } = team;
  const toGo = left(milesToNext);
  const walked = figure(miles);
  const all = figure(route.totalMiles);
  return (
    <Card tone="brand">
      <h2 className={styles.next}>
        {nextCheckpoint === null ? (
          <Trans>
            {emoji} {name} has completed the route
          </Trans>
        ) : (
          <Trans>
            {emoji} {name}: {toGo} {long} to {nextCheckpoint}
          </Trans>
        )}
      </h2>
      <Trail
        label={t`${name} on the route`}
        share={route.totalMiles > 0 ? miles / route.totalMiles : 0}
        valueText={t`${walked} of ${all} ${long}`}
        traveller={emoji}
      />
      <p className={styles.quiet}>
        <Trans>
          {walked} of {all} {long} walked together.
        </Trans>
      </p>
    </Card>
  );
}
