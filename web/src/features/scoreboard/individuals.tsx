import type { Me } from '@caravan/contracts/http/accounts';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { ArrowUp, ShieldCheck } from 'lucide-react';
import { formatCount } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PersonName } from '../../ui/text.tsx';
import { boardWeeksQuery } from './api.ts';
import styles from './board.module.css';
import { Board, RowMiles } from './board.tsx';
import { Encouragement } from './encouragement.tsx';
import { OwnPosition } from './own-position.tsx';
import { Medal, TopPeople } from './podiums.tsx';
import { neighboursOf, rowsAround, standingOf } from './standing.ts';
import { OwnRanks, WeekShares } from './week-cards.tsx';
import { placesWon } from './weeks.ts';

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
  const around = rowsAround(board, me.id);
  const faceOf = (id: string | null) => {
    const other = id === null ? undefined : around.find((row) => row.id === id);
    if (!other) return <Avatar name={me.name} photoUrl={me.profilePhotoUrl} />;
    return <Avatar name={other.name} photoUrl={other.photoUrl} size="small" />;
  };
  return (
    <Board
      order={board.users.map(({ id }) => id).join(' ')}
      own={
        <OwnPosition
          period={period}
          rank={board.userPosition}
          own={standing?.own ?? null}
          neighbours={neighboursOf(around, me.id, period)}
          faceOf={faceOf}
          ownWord={t`you`}
          aside={period === 'all' && <PlacesWon rank={board.userPosition} />}
        >
          <Encouragement standing={standing} period={period} />
        </OwnPosition>
      }
      podium={<TopPeople users={board.users.slice(0, onPodium)} ownId={me.id} period={period} />}
      rows={
        board.users.length > onPodium && (
          <UserRows title={t`Everyone else`} users={board.users.slice(onPodium)} ownId={me.id} period={period} />
        )
      }
      beside={
        <>
          <WeekShares teams={board.teams} ownTeamId={me.team.id} />
          {/* Last: it comes after the rest, which it would push down. */}
          <OwnRanks />
        </>
      }
    />
  );
}

function PlacesWon({ rank }: { rank: number | null }) {
  const { t } = useLingui();
  const { data } = useQuery(boardWeeksQuery);
  const won = data ? placesWon(data, rank) : 0;
  const places = formatCount(won);
  if (won === 0) return null;
  return (
    <Tag tone="good">
      <ArrowUp size={14} aria-hidden="true" />
      {t`${places} this week`}
    </Tag>
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
            <li key={user.id} data-glide={user.id} className={clsx(styles.row, isOwn && styles.mine)}>
              <Medal rank={user.rank} />
              {isHidden(user, ownId) ? <Veil /> : <Avatar name={user.name} photoUrl={user.photoUrl} />}
              <div className={styles.who}>
                <b>
                  <PersonName profileId={user.profileId} name={user.name} className={styles.name} />
                </b>
                <p>
                  {isOwn && <span className={styles.you}>{t`you`}&nbsp;· </span>}
                  {user.teamEmoji} <bdi>{user.teamName}</bdi>
                  {isHidden(user, ownId) && <>&nbsp;· {t`private`}</>}
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

/** A row without an id of its own is somebody who shows no numbers (D18). */
const isHidden = ({ id, profileId }: Leaderboard['users'][number], ownId: string) =>
  profileId === null && id !== ownId && id.startsWith('hidden-');

const Veil = () => (
  <span className={styles.veil} aria-hidden="true">
    <ShieldCheck size={22} />
  </span>
);
