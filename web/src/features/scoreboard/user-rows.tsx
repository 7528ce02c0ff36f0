import type { Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { useDistance } from '../../lib/units.ts';
import { useGlide } from '../../lib/use-glide.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { Tag } from '../../ui/chip.tsx';
import { PersonName } from '../../ui/person-name.tsx';
import { Medal } from './medal.tsx';
import styles from './rows.module.css';

export function UserRows({ title, users, ownId }: { title: string; users: Leaderboard['users']; ownId: string }) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const list = useGlide<HTMLOListElement>(users.map(({ id }) => id).join(' '));
  return (
    <Card title={title} className={styles.card}>
      <ol className={styles.rows} ref={list}>
        {users.map((user) => {
          const weekly = figure(user.weeklyMiles);
          const isOwn = user.id === ownId;
          return (
            <li key={user.id} data-glide={user.id} className={clsx(styles.row, isOwn && styles.own)}>
              <Medal rank={user.rank} />
              <Avatar name={user.name} photoUrl={user.photoUrl} />
              <div className={styles.who}>
                <b>
                  <PersonName id={user.id} name={user.name} className={styles.name} />{' '}
                  {isOwn && <Tag tone="brand">{t`you`}</Tag>}
                </b>
                <p>
                  {user.teamEmoji} {user.teamName}
                </p>
              </div>
              <div className={styles.miles}>
                <b>
                  {figure(user.totalMiles)} <span>{short}</span>
                </b>
                <p>{t`${weekly} this week`}</p>
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
