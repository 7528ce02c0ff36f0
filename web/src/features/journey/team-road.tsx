import type { Journey } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../lib/me.ts';
import { useDistance } from '../../lib/units.ts';
import { landmarkOf } from '../../ui/scene/landmarks.ts';
import { spanOfLeg } from '../../ui/scene/road.ts';
import { RoadStrip, type RoadStop } from '../../ui/scene/road-strip.tsx';
import { Hidden } from '../../ui/text.tsx';
import { journeyQuery } from './api.ts';
import { legOf } from './leg.ts';
import styles from './team-road.module.css';

/** At the foot of the dashboard's scene: the own team between its last stop and the next, and the way to the map. */
export function TeamRoad() {
  const { t } = useLingui();
  const { data: journey } = useQuery(journeyQuery);
  const ownTeamId = useQuery(meQuery).data?.team.id;
  const own = journey?.teams.find(({ id }) => id === ownTeamId);
  // Its place is the same while it is on its way, and where nobody travels: nothing below moves.
  if (!journey || !own) return <div className={styles.place} />;
  return (
    <div className={styles.place}>
      <LegStrip journey={journey} own={own} />
      <WayToJourney journey={journey} own={own} />
      {own.lastCheckpoint !== null && <Hidden>{t`${own.name} has passed ${own.lastCheckpoint}.`}</Hidden>}
    </div>
  );
}

/** The same strip after a log: the piece that these miles brought is lit. */
export function GainedRoad({ miles }: { miles: number }) {
  const { data: journey } = useQuery(journeyQuery);
  const ownTeamId = useQuery(meQuery).data?.team.id;
  const own = journey?.teams.find(({ id }) => id === ownTeamId);
  return journey && own ? <LegStrip journey={journey} own={own} gained={miles} /> : null;
}

type Own = { journey: Journey; own: Journey['teams'][number] };

/** The leg that the own team is on, as a strip of road. */
export function LegStrip({ journey: { route, teams }, own, gained = 0 }: Own & { gained?: number }) {
  const { emoji, id, ...rest } = own;
  // A team that has arrived stays at the last stop, however far it goes on.
  const miles = Math.min(rest.miles, route.checkpoints.at(-1)?.mileMark ?? rest.miles);
  const [last, next] = useLegStops(route.checkpoints, miles);
  const stops = [last, next].filter((stop) => stop !== undefined);
  return (
    <RoadStrip
      span={spanOfLeg(last?.at ?? 0, next?.at ?? null)}
      own={{ id, emoji, miles }}
      others={teams.filter((team) => team.id !== id)}
      stops={stops}
      gained={gained}
    />
  );
}

/** The stop behind the own team, and the one ahead of it where there is one. */
function useLegStops(checkpoints: Journey['route']['checkpoints'], miles: number): RoadStop[] {
  const { t } = useLingui();
  const { left, long } = useDistance();
  return legOf(checkpoints, miles).map(({ mileMark: at, name, story }) => {
    const toGo = left(at - miles);
    const note = at <= miles ? t`reached` : t`in ${toGo} ${long}`;
    return { at, name, note, landmark: landmarkOf(story) };
  });
}

function WayToJourney({ journey: { route }, own: { nextCheckpoint, milesToNext } }: Own) {
  const { t } = useLingui();
  const { left, long } = useDistance();
  const toGo = left(milesToNext);
  return (
    <Link to="/journey" className={styles.way}>
      <Hidden>
        {nextCheckpoint === null ? (
          t`${route.name} is completed`
        ) : (
          <Trans>
            Next stop: {nextCheckpoint}, {toGo} {long}
          </Trans>
        )}
      </Hidden>
    </Link>
  );
}
