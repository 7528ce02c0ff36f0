import type { Journey, Route } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { listRoutes, readJourney, startJourney } from '../../lib/api/generated/sdk.gen.ts';
import type { StartJourneyData } from '../../lib/api/generated/types.gen.ts';
import { useDates } from '../../lib/dates.ts';
import { fieldRefusals, serverMessage } from '../../lib/http-error.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { useDistance } from '../../lib/units.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './journey-setup.module.css';

/** The admins choose the road that everybody travels (D33). @param mapOf draws a route */
export function JourneySetup({ mapOf }: { mapOf: (route: Route) => ReactNode }) {
  const { t } = useLingui();
  const { data: journey, isPending, refetch } = useQuery(chosenJourneyQuery);
  return (
    <Page
      title={t`Journey`}
      width="text"
      lead={t`One route at a time, for all teams. A team stands where its miles since the start have brought it.`}
      aside={<BackLink to="/admin" />}
    >
      <Loading isLoading={isPending} skeleton={<Skeleton height={420} />}>
        {() =>
          journey ? (
            <Stack>
              <Running journey={journey} map={mapOf(journey.route)} />
              <Choice key={journey.route.id} journey={journey} mapOf={mapOf} />
            </Stack>
          ) : (
            <Card>
              <ErrorState
                title={t`The journey could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

function Running({ journey: { route, startedAt }, map }: { journey: Journey; map: ReactNode }) {
  const { t } = useLingui();
  const { brief, long } = useDistance();
  const name = route.name;
  const miles = brief(Math.round(route.totalMiles));
  const { formatDate } = useDates();
  const since = formatDate(startedAt, { dateStyle: 'long' });
  const stops = route.checkpoints.length;
  return (
    <Card title={t`On the way now`}>
      <p className={styles.running}>
        <b>{name}</b>
        <Trans>
          {miles} {long}, {stops} stops, since {since}
        </Trans>
      </p>
      {map}
    </Card>
  );
}

function Choice({ journey: { route, routes }, mapOf }: { journey: Journey; mapOf: (route: Route) => ReactNode }) {
  const { t } = useLingui();
  const { brief, short } = useDistance();
  const [routeId, setRouteId] = useState(route.id);
  const [startsOn, setStartsOn] = useState('');
  const [refused, setRefused] = useState<Record<string, string>>({});
  const start = useStartJourney();
  const name = routes.find(({ id }) => id === routeId)?.name ?? '';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // The server lists no route that it does not take.
    start.mutate(
      { routeId: routeId as RouteId, ...(startsOn !== '' && { startsOn }) },
      {
        onSuccess: () => {
          setRefused({});
          toast({
            title: t`${name} begins`,
            description: t`Every team stands where its miles have brought it.`,
            tone: 'good',
          });
        },
        onError: (error) => {
          const told = Object.fromEntries(fieldRefusals(error).map(({ path, message }) => [path, message]));
          const isTold = 'routeId' in told || 'startsOn' in told;
          setRefused(isTold ? told : { rest: serverMessage(error, t`That did not work. Please try again later.`) });
        },
      },
    );
  };
  return (
    <Card title={t`Set out anew`}>
      <form className={styles.form} onSubmit={submit}>
        <SelectField
          label={t`Route`}
          value={routeId}
          error={refused['routeId']}
          options={routes.map(({ id, name: each, totalMiles }) => ({
            value: id,
            label: `${each} · ${brief(Math.round(totalMiles))} ${short}`,
          }))}
          onChange={setRouteId}
        />
        {routeId !== route.id && <Preview routeId={routeId} mapOf={mapOf} />}
        <DateField
          label={t`First day`}
          hint={t`Miles from this day on count. Empty: from today.`}
          value={startsOn}
          error={refused['startsOn']}
          onValue={setStartsOn}
        />
        {refused['rest'] && (
          <p className={styles.refusal} role="alert">
            {refused['rest']}
          </p>
        )}
        <p className={styles.note}>{t`The route that is travelled now ends; postcards of it stay in the feed only.`}</p>
        <Button type="submit" isWide isBusy={start.isPending}>{t`Set out`}</Button>
      </form>
    </Card>
  );
}

/** The running journey and what there is to choose from. */
const chosenJourneyQuery = dataQuery(['/api/journey'], readJourney);

/** Every route with its stops: what one looks at before one chooses. */
const routesQuery = dataQuery(['/api/journey/routes'], listRoutes);

type RouteId = StartJourneyData['body']['routeId'];

/** Sets out on a route (D33). */
function useStartJourney() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: StartJourneyData['body']) => startJourney({ body }),
    onSuccess: (journey) => queryClient.setQueryData(chosenJourneyQuery.queryKey, journey),
  });
}

/** What a route would be like: its map, and its stops in words. */
function Preview({ routeId, mapOf }: { routeId: string; mapOf: (route: Route) => ReactNode }) {
  const { t } = useLingui();
  const { data: routes, isPending, refetch } = useQuery(routesQuery);
  const route = routes?.find(({ id }) => id === routeId);
  return (
    <Loading isLoading={isPending} skeleton={<Skeleton height={420} />}>
      {() =>
        route ? (
          <section className={styles.preview} aria-label={t`Preview`}>
            {mapOf(route)}
            <Stops route={route} />
          </section>
        ) : (
          <ErrorState
            title={t`The map could not be loaded`}
            hint={t`The route can be chosen all the same.`}
            onRetry={() => void refetch()}
          />
        )
      }
    </Loading>
  );
}

function Stops({ route: { checkpoints } }: { route: Route }) {
  const { t } = useLingui();
  const { brief, short } = useDistance();
  const from = checkpoints[0]?.name ?? '';
  const to = checkpoints.at(-1)?.name ?? '';
  return (
    <>
      <p className={styles.fromTo}>
        <Trans>
          From {from} to {to}
        </Trans>
      </p>
      <ol className={styles.stops} aria-label={t`Stops`}>
        {checkpoints.map(({ name, mileMark }) => (
          <li key={name}>
            <span>{name}</span>{' '}
            <span className={styles.mark}>
              {brief(mileMark)} {short}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
