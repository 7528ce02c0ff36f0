import type { Me } from '@caravan/contracts/http/accounts';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Board } from './board.tsx';
import { Encouragement } from './encouragement.tsx';
import { Podium } from './podium.tsx';
import { OwnPosition } from './own-position.tsx';
import { standingOf, surroundings } from './standing.ts';
import { UserRows } from './user-rows.tsx';

const onPodium = 3;

export function Individuals({ board, me }: { board: Leaderboard; me: Me }) {
  const { t } = useLingui();
  const standing = standingOf(board, me.id);
  const nearby = surroundings(board, me.id);
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
      own={<OwnPosition name={me.name} rank={board.userPosition} own={standing?.own ?? null} />}
      rows={
        <>
          <Podium users={board.users.slice(0, onPodium)} ownId={me.id} />
          {board.users.length > onPodium && (
            <UserRows title={t`Everyone else`} users={board.users.slice(onPodium)} ownId={me.id} />
          )}
          {nearby.length > 0 && <UserRows title={t`Around you`} users={nearby} ownId={me.id} />}
        </>
      }
      meaning={<Encouragement standing={standing} />}
    />
  );
}
