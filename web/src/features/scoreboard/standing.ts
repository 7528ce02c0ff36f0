import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';

type BoardUser = Leaderboard['users'][number];
type Miles = Pick<BoardUser, 'totalMiles' | 'weeklyMiles'>;
type Ranked = Miles & { id: string; rank: number | null; name: string };

/** Somebody next to one; `milesAhead` is negative for who is behind. */
export type Neighbour = { id: string; rank: number | null; name: string; milesAhead: number };

/** How one stands to first place and to those around one. */
export type Standing = {
  own: BoardUser;
  /** To first place; 0 when one leads. */
  milesBehindFirst: number;
  /** Only for a leader: how far the second is behind. */
  leadMiles: number | null;
  /** Those who share first place with one; nobody unless one has it. */
  sharedWith: readonly string[];
};

const neighboursEachSide = 2;

/** The miles that the board of a period ranks by. */
export const rankedMiles = ({ totalMiles, weeklyMiles }: Miles, period: BoardPeriod): number =>
  period === 'week' ? weeklyMiles : totalMiles;

const inHundredths = (miles: number) => Math.round(miles * 100) / 100;

/** Null without miles: one is not on the board yet (D12). */
export function standingOf(
  { users, around, userPosition }: Leaderboard,
  ownId: string,
  period: BoardPeriod,
): Standing | null {
  const own = [...around, ...users].find(({ id }) => id === ownId);
  const first = users[0];
  if (!own || !first || userPosition === null) return null;
  const ahead = (one: Miles, other: Miles) => inHundredths(rankedMiles(one, period) - rankedMiles(other, period));
  const milesBehindFirst = ahead(first, own);
  const second = users.find(({ id }) => id !== ownId);
  const leadMiles = milesBehindFirst === 0 && second ? ahead(own, second) : null;
  const level = users.filter((user) => user.id !== ownId && milesBehindFirst === 0 && ahead(own, user) === 0);
  const sharedWith = level.map(({ name }) => name);
  return { own, milesBehindFirst, leadMiles, sharedWith };
}

/** Up to two on each side of one, in the order of the board; none where one is not on it. */
export function neighboursOf(
  board: readonly Ranked[],
  ownId: string,
  period: BoardPeriod,
): { above: Neighbour[]; below: Neighbour[] } {
  const place = board.findIndex(({ id }) => id === ownId);
  const own = board[place];
  if (!own || own.rank === null) return { above: [], below: [] };
  const neighbourOf = ({ id, rank, name, ...miles }: Ranked): Neighbour => ({
    id,
    rank,
    name,
    milesAhead: inHundredths(rankedMiles(miles, period) - rankedMiles(own, period)),
  });
  return {
    above: board.slice(Math.max(0, place - neighboursEachSide), place).map(neighbourOf),
    below: board.slice(place + 1, place + 1 + neighboursEachSide).map(neighbourOf),
  };
}

/** The rows around one: those the server chose, or the board's own where it chose none. */
export const rowsAround = ({ users, around }: Leaderboard, ownId: string): readonly BoardUser[] =>
  around.some(({ id }) => id === ownId) ? around : users;

/** Gold, silver and bronze go by rank, so that ties share them (9.10). */
export const placeOf = (rank: number | null): 1 | 2 | 3 | undefined =>
  rank === 1 || rank === 2 || rank === 3 ? rank : undefined;
