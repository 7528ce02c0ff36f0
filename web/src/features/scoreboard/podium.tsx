import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Tag } from '../../ui/button.tsx';
import { Hidden, PersonName } from '../../ui/text.tsx';
import styles from './podium.module.css';
import { placeOf } from './standing.ts';

/** The first three of the board. Read in order; drawn with the first in the middle, and ties on steps of one height. */
export function Podium({ users, ownId, period }: { users: Leaderboard['users']; ownId: string; period: BoardPeriod }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const isTied = ({ rank }: { rank: number | null }) =>
    rank !== null && users.filter((other) => other.rank === rank).length > 1;
  return (
    <section aria-label={t`Top performers`}>
      <Hidden>
        <h2>{t`Top performers`}</h2>
      </Hidden>
      <ol className={styles.podium} data-count={users.length}>
        {users.map((user, index) => {
          const miles = figure(user.totalMiles);
          const weekly = figure(user.weeklyMiles);
          return (
            <li
              key={user.id}
              data-glide={user.id}
              data-rank={user.rank}
              className={clsx(styles.step, index === 1 && styles.second)}
            >
              <Avatar name={user.name} photoUrl={user.photoUrl} size="large" place={placeOf(user.rank)} />
              <span className={styles.medal}>
                <Medal rank={user.rank} />
              </span>
              <b className={styles.name}>
                <PersonName profileId={user.profileId} name={user.name} />
              </b>
              <span className={styles.team}>
                {user.teamEmoji} <bdi>{user.teamName}</bdi>
              </span>
              <div className={clsx(styles.pedestal, user.id === ownId && styles.own)}>
                <b>{period === 'week' ? t`${weekly} ${short}` : t`${miles} ${short}`}</b>
                <span>{period === 'week' ? t`${miles} in all` : t`${weekly} this week`}</span>
                {isTied(user) && <span>{t`level`}</span>}
                {user.id === ownId && <Tag tone="brand">{t`you`}</Tag>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** A rank; the first three wear gold, silver and bronze. */
export function Medal({ rank }: { rank: number | null }) {
  const { t } = useLingui();
  const place = placeOf(rank);
  return (
    <span className={clsx(styles.rank, place && [styles.ringed, styles[`place${place}`]])}>
      <Hidden>{t`Rank`} </Hidden>
      {rank === null ? '--' : formatCount(rank)}
    </span>
  );
}
