import type { Route } from '@caravan/contracts/http/journeys';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { journeyQuery } from './api.ts';
import styles from './journey.module.css';
import { RouteMap } from './route-map.tsx';

/** The map of a route: of the one that is travelled now as everybody sees it, of any other the bare way. */
export function RoutePreview({ route }: { route: Pick<Route, 'id' | 'name' | 'checkpoints'> }) {
  const { t } = useLingui();
  const { data: journey } = useQuery(journeyQuery);
  const { name } = route;
  const teams = journey?.route.id === route.id ? journey.teams : [];
  return (
    <div className={styles.mapCard}>
      <RouteMap label={t`Map of ${name}`} route={route} teams={teams} ownTeamId={null} view="route" />
    </div>
  );
}
