import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { journeyQuery } from './api.ts';
import styles from './journey.module.css';
import { RouteMap } from './route-map.tsx';

/** The map of the route that is travelled now, as everybody sees it. */
export function RoutePreview() {
  const { t } = useLingui();
  const { data: journey } = useQuery(journeyQuery);
  if (!journey) return null;
  const { name } = journey.route;
  return (
    <div className={styles.mapCard}>
      <RouteMap label={t`Map of ${name}`} route={journey.route} teams={journey.teams} ownTeamId={null} view="route" />
    </div>
  );
}
