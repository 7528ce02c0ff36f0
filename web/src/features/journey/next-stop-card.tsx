import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../lib/me.ts';
import { useDistance } from '../../lib/units.ts';
import { Card } from '../../ui/page.tsx';
import { landmarkOf } from '../../ui/scene/landmarks.ts';
import { RoadStrip } from '../../ui/scene/road-strip.tsx';
import { journeyQuery } from './api.ts';
import { legOf } from './leg.ts';
import styles from './next-stop-card.module.css';

/** The own team on the last miles to its next stop; nothing while nobody travels, or when it has arrived. */
export function NextStopCard() {
  const { t } = useLingui();
  const { left, long } = useDistance();
  const { data: journey } = useQuery(journeyQuery);
  const { data: me } = useQuery(meQuery);
  const own = journey?.teams.find(({ id }) => id === me?.team.id);
  const next =
    own && journey && legOf(journey.route.checkpoints, own.miles).find(({ mileMark }) => mileMark > own.miles);
  if (!own || !next) return null;
  const toGo = left(own.milesToNext);
  const behind = Math.max(6, (next.mileMark - own.miles) * 0.4);
  return (
    <Card title={t`Next stop`} aside={<Link to="/journey">{t`The journey`}</Link>} className={styles.card}>
      <div className={styles.road}>
        <RoadStrip
          ground="paper"
          size="mini"
          span={{ from: own.miles - behind, to: next.mileMark + 4 }}
          own={own}
          stops={[{ at: next.mileMark, name: next.name, landmark: landmarkOf(next.story) }]}
        />
      </div>
      <p className={styles.sentence}>
        <Trans>
          <b>
            {toGo} {long}
          </b>{' '}
          to {next.name}
        </Trans>
      </p>
    </Card>
  );
}
