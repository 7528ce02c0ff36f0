import type { Me } from '@caravan/contracts/http/accounts';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PersonName } from '../../ui/text.tsx';
import styles from './board.module.css';
import { Board, RowMiles } from './board.tsx';
import { Encouragement } from './encouragement.tsx';
import { OwnPosition } from './own-position.tsx';
import { Medal, Podium } from './podium.tsx';
import { neighboursOf, rowsAround, standingOf } from './standing.ts';

const onPodium = 3;

/** Members: the first 20, and where one stands oneself. */
export function Individuals({ board, me, period }: { board: Leaderboard; me: Me; period: BoardPeriod }) {
  const { t } = useLingui();
  const standing = standingOf(board, me.id, period);
  if (board.users.length === 0)
    return (
      <Card>
        <EmptyState
          title={period === 'week' ? t`A new week: the first miles lead the board` : t`Nobody is on the board yet`}
          hint={
            period === 'week'
              ? t`Everybody starts at zero. Ten minutes of anything that moves you put you in first place.`
              : t`The first mile leads it: ten minutes of anything that moves you.`
          }
          action={
            <Button asChild>
              <Link to="/timer">{t`Start the timer`}</Link>
            </Button>
          }
        />
      </Card>
    );
  return (
    <Board
      order={board.users.map(({ id }) => id).join(' ')}
      own={
        <OwnPosition
          name={me.name}
          period={period}
          rank={board.userPosition}
          own={standing?.own ?? null}
          neighbours={neighboursOf(rowsAround(board, me.id), me.id, period)}
        />
      }
      rows={
        <>
          <Podium users={board.users.slice(0, onPodium)} ownId={me.id} period={period} />
          {board.users.length > onPodium && (
            <UserRows title={t`Everyone else`} users={board.users.slice(onPodium)} ownId={me.id} period={period} />
          )}
        </>
      }
      meaning={<Encouragement standing={standing} period={period} />}
    />
  );
}

function UserRows({
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
      <ol className={styles.list}>
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
                  {user.teamEmoji} <bdi>{user.teamName}</bdi>
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
