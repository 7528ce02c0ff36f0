import type { Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { formatMiles } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Medal } from './medal.tsx';
import styles from './podium.module.css';
import { placeOf } from './standing.ts';

/** The first three of the board. Read in order; drawn with the first in the middle. */
export function Podium({ users, ownId }: { users: Leaderboard['users']; ownId: string }) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Top performers`}>
      <Hidden>
        <h2>{t`Top performers`}</h2>
      </Hidden>
      <ol className={styles.podium} data-count={users.length}>
        {users.map((user, index) => {
          const [miles, weekly] = [formatMiles(user.totalMiles), formatMiles(user.weeklyMiles)];
          return (
            <li key={user.id} className={clsx(styles.step, styles[`step${index + 1}`])}>
              <Avatar name={user.name} photoUrl={user.photoUrl} size="large" place={placeOf(user.rank)} />
              <span className={styles.medal}>
                <Medal rank={user.rank} />
              </span>
              <b className={styles.name}>{user.name}</b>
              <span className={styles.team}>
                {user.teamEmoji} {user.teamName}
              </span>
              <div className={clsx(styles.pedestal, user.id === ownId && styles.own)}>
                <b>{t`${miles} mi`}</b>
                <span>{t`${weekly} this week`}</span>
                {user.id === ownId && <Tag tone="brand">{t`you`}</Tag>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
