import type { Me } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Flame, Tent } from 'lucide-react';
import type { ReactNode } from 'react';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Rolling } from '../../ui/text.tsx';
import styles from './own-ledger.module.css';

/** Total, streak and rank side by side (2.107, 2.108). */
export function OwnLedger({ me }: { me: Me }) {
  const { t } = useLingui();
  const { figure, units } = useDistance();
  const { data: stats } = useQuery(dashboardStatsQuery);
  const rank = stats?.userRank ?? null;
  return (
    <dl className={styles.ledger}>
      <Statistic
        name={units === 'metric' ? t`Total km` : t`Total miles`}
        note={<Link to="/miles">{t`Why this total?`}</Link>}
      >
        <Rolling value={me.totalMiles} format={figure} />
      </Statistic>
      <Statistic name={t`Streak days`} note={<StreakWord state={me.streakState} />} isLit={me.streakCount > 0}>
        {formatCount(me.streakCount)}
        {me.streakState === 'frozen' ? (
          <Tent size={20} className={styles.held} aria-hidden="true" />
        ) : (
          <Flame size={20} className={clsx(me.streakState !== 'out' && styles.burning)} aria-hidden="true" />
        )}
      </Statistic>
      <Statistic name={t`Rank`} note={units === 'metric' ? t`by total km` : t`by total miles`}>
        {rank === null ? '--' : `#${formatCount(rank)}`}
      </Statistic>
    </dl>
  );
}

function Statistic({
  name,
  note,
  isLit = false,
  children,
}: {
  name: string;
  note: ReactNode;
  isLit?: boolean;
  children: ReactNode;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={clsx(styles.figure, isLit && styles.lit)}>{children}</dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  );
}

/** The state in words, for colour alone tells nobody (D11). */
function StreakWord({ state }: { state: Me['streakState'] }) {
  const { t } = useLingui();
  const words: Record<Me['streakState'], string> = {
    lit: t`lit today`,
    'at-risk': t`move today`,
    frozen: t`held by a freeze`,
    out: t`a log lights it`,
  };
  return words[state];
}
