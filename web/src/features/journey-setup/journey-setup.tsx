import type { Journey, Route } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { formatDate } from '../../lib/format.ts';
import { fieldRefusals, serverMessage } from '../../lib/http-error.ts';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page, Stack } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import { chosenJourneyQuery, useStartJourney } from './api.ts';
import type { RouteId } from './api.ts';
import { Preview } from './preview.tsx';
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
      aside={
        <Button asChild variant="quiet" size="small">
          <Link to="/admin">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back`}
          </Link>
        </Button>
      }
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
  const [name, miles] = [route.name, brief(Math.round(route.totalMiles))];
  const [since, stops] = [formatDate(new Date(startedAt), { dateStyle: 'long' }), route.checkpoints.length];
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
      <form className={styles.form} onSubmit={submit} noValidate>
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
        <TextField
          label={t`First day`}
          type="date"
          hint={t`Miles from this day on count. Empty: from today.`}
          value={startsOn}
          error={refused['startsOn']}
          onChange={({ target }) => setStartsOn(target.value)}
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
