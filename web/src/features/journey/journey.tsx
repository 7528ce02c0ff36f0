import type { Journey as JourneyAnswer } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Route } from 'lucide-react';
import { useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { meQuery } from '../../lib/me.ts';
import { useSession } from '../../lib/session-state.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Columns, Page, Stack } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { journeyQuery } from './api.ts';
import type { View } from './drawing.ts';
import styles from './journey.module.css';
import { NextStop } from './next-stop.tsx';
import { RouteMap } from './route-map.tsx';
import { Postcards, StopsTable, TeamsTable } from './tables.tsx';
import { stopsOf } from './way.ts';

/** The road that all teams of the organisation travel together (D33). */
export function Journey() {
  const { t } = useLingui();
  const { data: journey, isPending, isError, refetch } = useQuery(journeyQuery);
  const { user } = useSession();
  return (
    <Page
      title={t`The journey`}
      // The line is there before its words: they would push the map down.
      lead={isPending ? <>&nbsp;</> : journey && <Lead journey={journey} />}
      aside={user?.role === 'admin' && <ToSetUp />}
    >
      <Loading isLoading={isPending} skeleton={<JourneySkeleton />}>
        {() =>
          journey ? (
            <Travelled journey={journey} />
          ) : (
            <Card>
              {isError ? (
                <ErrorState
                  title={t`The journey could not be loaded`}
                  hint={t`Please try again later.`}
                  onRetry={() => void refetch()}
                />
              ) : (
                <EmptyState
                  title={t`The caravan has not set out yet`}
                  hint={t`As soon as your organisation chooses a route, every mile brings your team along it.`}
                />
              )}
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

function Lead({ journey: { route, startedAt } }: { journey: JourneyAnswer }) {
  const { formatDate } = useDates();
  const { brief, long } = useDistance();
  const name = route.name;
  const miles = brief(Math.round(route.totalMiles));
  const since = formatDate(startedAt, { dateStyle: 'long' });
  return (
    <Trans>
      {name}&nbsp;· {miles} {long}&nbsp;· since {since}
    </Trans>
  );
}

function Travelled({ journey }: { journey: JourneyAnswer }) {
  const { data: me } = useQuery(meQuery);
  const ownTeamId = me?.team.id ?? null;
  const stops = stopsOf(journey, ownTeamId);
  return (
    <Stack>
      <Columns
        main={
          <>
            <MapCard journey={journey} ownTeamId={ownTeamId} />
            <Postcards stops={stops} />
          </>
        }
        side={
          <>
            <NextStop journey={journey} ownTeamId={ownTeamId} />
            <TeamsTable teams={journey.teams} ownTeamId={ownTeamId} />
          </>
        }
      />
      <StopsTable stops={stops} />
    </Stack>
  );
}

function MapCard({ journey: { route, teams }, ownTeamId }: { journey: JourneyAnswer; ownTeamId: string | null }) {
  const { t } = useLingui();
  const [view, setView] = useState<View>('route');
  const name = route.name;
  const start = route.checkpoints[0]?.name ?? '';
  const goal = route.checkpoints.at(-1)?.name ?? '';
  return (
    <section className={styles.mapCard} aria-label={t`Map`}>
      <RouteMap
        label={t`Map of ${name} from ${start} to ${goal} with every team's place; the tables below tell the same.`}
        route={route}
        teams={teams}
        ownTeamId={ownTeamId}
        view={view}
      />
      <div className={styles.views}>
        <Segmented
          label={t`Show on the map`}
          value={view}
          onChange={setView}
          options={[
            { value: 'route', label: t`Whole route` },
            { value: 'here', label: t`Where we are` },
          ]}
        />
      </div>
    </section>
  );
}

const JourneySkeleton = () => (
  <Columns
    main={
      <>
        <Skeleton height={420} />
        <Skeleton height={140} />
      </>
    }
    side={<Skeleton height={260} />}
  />
);

/** Where admins choose another route. */
function ToSetUp() {
  const { t } = useLingui();
  return (
    <Button asChild variant="quiet" size="small">
      <Link to="/admin/journey">
        <Route size={18} aria-hidden="true" />
        {t`Choose a route`}
      </Link>
    </Button>
  );
}
