import type { Leaderboard } from '@caravan/contracts/http/scores';

type BoardUser = Leaderboard['users'][number];

/** How one stands to first place and to the next above and below; miles are differences, never negative. */
export type Standing = {
  own: BoardUser;
  /** To first place; 0 when one leads. */
  milesBehindFirst: number;
  /** Only for a leader: how far the second is behind. */
  leadMiles: number | null;
  above: { name: string; miles: number } | null;
  below: { name: string; miles: number } | null;
};

const distance = (one: BoardUser, other: BoardUser) =>
  Math.abs(Math.round((one.totalMiles - other.totalMiles) * 100)) / 100;

/** Null without miles: one is not on the board yet (D12). */
export function standingOf({ users, around, userPosition }: Leaderboard, ownId: string): Standing | null {
  const own = [...around, ...users].find(({ id }) => id === ownId);
  const first = users[0];
  if (!own || !first || userPosition === null) return null;
  const neighbours = around.some(({ id }) => id === ownId) ? around : users;
  const place = neighbours.findIndex(({ id }) => id === ownId);
  const next = (at: number) => {
    const other = neighbours[at];
    return other ? { name: other.name, miles: distance(own, other) } : null;
  };
  const [above, below] = [next(place - 1), next(place + 1)];
  const milesBehindFirst = distance(own, first);
  return { own, milesBehindFirst, leadMiles: milesBehindFirst === 0 ? (below?.miles ?? null) : null, above, below };
}

/** Gold, silver and bronze go by rank, so that ties share them (9.10). */
export const placeOf = (rank: number | null): 1 | 2 | 3 | undefined =>
  rank === 1 || rank === 2 || rank === 3 ? rank : undefined;

/** One's surroundings, where the board's first rows do not show them. */
export function surroundings({ users, around }: Leaderboard, ownId: string): Leaderboard['around'] {
  return users.some(({ id }) => id === ownId) ? [] : around;
}
