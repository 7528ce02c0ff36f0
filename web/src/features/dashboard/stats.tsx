import type { Me } from '@caravan/contracts/http/accounts';
import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Flame, Tent } from 'lucide-react';
import type { ReactNode } from 'react';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { formatCount } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import { ownDaysQuery } from '../../lib/own-days.ts';
import { useDistance } from '../../lib/units.ts';
import { Spark } from '../../ui/charts/spark.tsx';
import { Loaded } from '../../ui/error-boundary.tsx';
import { lastDaysOf } from '../../ui/scene/stones.ts';
import { Rolling } from '../../ui/text.tsx';
import styles from './stats.module.css';
import { totalsByWeek } from './week.ts';

/** Total miles, rank and streak (2.56). */
export function Stats() {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  return (
    <Loaded query={me} lost={t`Your miles could not be loaded`} skeletonHeight={118}>
      {(known) => <Figures me={known} />}
    </Loaded>
  );
}

function Figures({ me }: { me: Me }) {
  const { t } = useLingui();
  const { figure, units } = useDistance();
  const stats = useQuery(dashboardStatsQuery);
  const rank = stats.data?.userRank ?? null;
  const isUnknown = !stats.data;
  const miles = figure(me.totalMiles);
  const place = rank === null ? '--' : `#${formatCount(rank)}`;
  const byTotal = units === 'metric' ? t`by total km` : t`by total miles`;
  return (
    <dl className={styles.stats}>
      <Stat
        name={units === 'metric' ? t`Total km` : t`Total miles`}
        note={<WayToMiles />}
        length={miles.length}
        chart={<TotalsChart total={me.totalMiles} />}
      >
        <Rolling value={me.totalMiles} format={figure} />
      </Stat>
      <Stat name={t`Rank`} note={rank === null && !isUnknown ? t`after your first log` : byTotal}>
        {place}
      </Stat>
      <Stat
        name={t`Streak`}
        note={<StreakNote days={me.streakCount} state={me.streakState} />}
        isLit={me.streakCount > 0}
        chart={<LastDays />}
      >
        {formatCount(me.streakCount)}
        <Fire state={me.streakState} />
      </Stat>
    </dl>
  );
}

const WayToMiles = () => {
  const { t } = useLingui();
  return <Link to="/miles">{t`Why this total?`}</Link>;
};

/** So many characters fit in a third of a phone's width. */
const fittingCharacters = 6;

const Stat = ({
  name,
  note,
  length = 0,
  isLit = false,
  chart,
  children,
}: {
  name: string;
  note: ReactNode;
  length?: number;
  isLit?: boolean;
  /** Beside the figure on wide screens. */
  chart?: ReactNode;
  children: ReactNode;
}) => (
  <div className={styles.stat}>
    <dt>{name}</dt>
    <dd className={clsx(styles.figure, length > fittingCharacters && styles.long, isLit && styles.lit)}>{children}</dd>
    <dd className={styles.note}>{note}</dd>
    {chart && <dd className={styles.chart}>{chart}</dd>}
  </div>
);

/** How the total grew over the last weeks; missing while its answer is (D44). */
function TotalsChart({ total }: { total: number }) {
  const { data } = useQuery(ownDaysQuery);
  return data && data.today !== '' ? <Spark values={totalsByWeek(data, total)} /> : null;
}

const shownDays = 14;

/** The last fourteen days as dots: moved, rest, missed, today. */
function LastDays() {
  const { t } = useLingui();
  const { data } = useQuery(ownDaysQuery);
  if (!data || data.today === '') return null;
  const days = lastDaysOf(data, shownDays);
  const moved = formatCount(days.filter(({ state }) => state === 'moved').length);
  return (
    <span className={styles.days} role="img" aria-label={t`You moved on ${moved} of the last 14 days`}>
      {days.map(({ on, state }) => (
        <i key={on} className={styles[state]} />
      ))}
    </span>
  );
}

/** The state in words, for colour alone tells nobody (D11). */
function StreakNote({ days, state }: { days: number; state: Me['streakState'] }) {
  const { t } = useLingui();
  if (state === 'lit') return <Plural value={days} one="day, lit today" other="days, lit today" />;
  if (state === 'at-risk') return <Plural value={days} one="day, move today" other="days, move today" />;
  if (state === 'frozen') return <Plural value={days} one="day, held by a freeze" other="days, held by a freeze" />;
  return t`days, a log lights it`;
}

const Fire = ({ state }: { state: Me['streakState'] }) =>
  state === 'frozen' ? (
    <Tent size={22} className={styles.held} aria-hidden="true" />
  ) : (
    <Flame size={22} className={clsx(state !== 'out' && styles.burning)} aria-hidden="true" />
  );
