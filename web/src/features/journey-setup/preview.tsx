import type { Route } from '@caravan/contracts/http/journeys';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDistance } from '../../lib/units.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { routesQuery } from './api.ts';
import styles from './journey-setup.module.css';

/** What a route would be like: its map, and its stops in words. */
export function Preview({ routeId, mapOf }: { routeId: string; mapOf: (route: Route) => ReactNode }) {
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
  const [from, to] = [checkpoints[0]?.name ?? '', checkpoints.at(-1)?.name ?? ''];
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
