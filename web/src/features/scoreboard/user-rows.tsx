import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { Tag } from '../../ui/chip.tsx';
import { PersonName } from '../../ui/person-name.tsx';
import { Medal } from './medal.tsx';
import { RowMiles } from './row-miles.tsx';
import styles from './rows.module.css';

export function UserRows({
  title,
  users,
  ownId,
  period,
}: {
  title: string;
  users: Leaderboard['users'];
  ownId: string;
  period: BoardPeriod;
}) {
  const { t } = useLingui();
  return (
    <Card title={title} className={styles.card}>
      <ol className={styles.rows}>
        {users.map((user) => {
          const isOwn = user.id === ownId;
          return (
            <li key={user.id} data-glide={user.id} className={clsx(styles.row, isOwn && styles.own)}>
              <Medal rank={user.rank} />
              <Avatar name={user.name} photoUrl={user.photoUrl} />
              <div className={styles.who}>
                <b>
                  <PersonName profileId={user.profileId} name={user.name} className={styles.name} />{' '}
                  {isOwn && <Tag tone="brand">{t`you`}</Tag>}
                </b>
                <p>
                  {user.teamEmoji} {user.teamName}
                </p>
              </div>
              <RowMiles of={user} period={period} />
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
