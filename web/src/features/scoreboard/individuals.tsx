import type { Me } from '@caravan/contracts/http/accounts';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Board } from './board.tsx';
import { Encouragement } from './encouragement.tsx';
import { Podium } from './podium.tsx';
import { OwnPosition } from './own-position.tsx';
import { neighboursOf, rowsAround, standingOf } from './standing.ts';
import { UserRows } from './user-rows.tsx';

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
