import type { Me } from '@caravan/contracts/http/accounts';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Board } from './board.tsx';
import type { ShownMiles } from './standing.ts';
import { Encouragement } from './encouragement.tsx';
import { Podium } from './podium.tsx';
import { OwnPosition } from './own-position.tsx';
import { neighboursOf, rowsAround, standingOf } from './standing.ts';
import { UserRows } from './user-rows.tsx';

const onPodium = 3;

/** Members: the first 20, and where one stands oneself. @param shown which miles the rows show first */
export function Individuals({ board, me, shown }: { board: Leaderboard; me: Me; shown: ShownMiles }) {
  const { t } = useLingui();
  const standing = standingOf(board, me.id);
  if (board.users.length === 0)
    return (
      <Card>
        <EmptyState
          title={t`Nobody is on the board yet`}
          hint={t`The first mile leads it: ten minutes of anything that moves you.`}
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
          rank={board.userPosition}
          own={standing?.own ?? null}
          neighbours={neighboursOf(rowsAround(board, me.id), me.id)}
        />
      }
      rows={
        <>
          <Podium users={board.users.slice(0, onPodium)} ownId={me.id} shown={shown} />
          {board.users.length > onPodium && (
            <UserRows title={t`Everyone else`} users={board.users.slice(onPodium)} ownId={me.id} shown={shown} />
          )}
        </>
      }
      meaning={<Encouragement standing={standing} />}
    />
  );
}
