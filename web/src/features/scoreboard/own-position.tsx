import type { Leaderboard } from '@caravan/contracts/http/scores';
import { Trans, useLingui } from '@lingui/react/macro';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Card } from '../../ui/card.tsx';
import { Rolling } from '../../ui/rolling.tsx';
import styles from './own-position.module.css';

/** Where one stands oneself, always in sight. */
export function OwnPosition({
  name,
  rank,
  own,
}: {
  name: string;
  rank: number | null;
  own: Pick<Leaderboard['users'][number], 'totalMiles' | 'weeklyMiles'> | null;
}) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const weekly = figure(own?.weeklyMiles ?? 0);
  return (
    <Card title={t`Your position`} tone="brand">
      <div className={styles.line}>
        <b className={styles.rank}>{rank === null ? '--' : `#${formatCount(rank)}`}</b>
        <div className={styles.who}>
          <b>{name}</b>
          <p>
            {own ? (
              <Trans>
                {weekly} {long} this week
              </Trans>
            ) : (
              <Trans>no miles yet</Trans>
            )}
          </p>
        </div>
        <span className={styles.miles}>
          <b>
            <Rolling value={own?.totalMiles ?? 0} format={figure} />
          </b>{' '}
          {long}
        </span>
      </div>
    </Card>
  );
}
