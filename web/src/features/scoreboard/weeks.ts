import type { BoardWeeks, Leaderboard } from '@caravan/contracts/http/scores';

/** The running week and so many before it are drawn. */
const drawnWeeks = 8;

type Team = Leaderboard['teams'][number];

/** Own ranks of the last weeks, null where one had no miles yet; the last one is today's. */
export function ranksByWeek({ weeks, ranks }: BoardWeeks, rankNow: number | null): (number | null)[] {
  const byWeek = new Map(ranks.map(({ weekStartsOn, rank }) => [weekStartsOn, rank]));
  const finished = weeks.slice(0, -1).map((week) => byWeek.get(week) ?? null);
  return [...finished, rankNow].slice(-drawnWeeks);
}

export const weeksShown = <Of>(ofWeeks: readonly Of[]): Of[] => ofWeeks.slice(-drawnWeeks);

/** Places won since the last week ended; 0 where none was won, or one was not on the board. */
export function placesWon({ weeks, ranks }: BoardWeeks, rankNow: number | null): number {
  const before = ranks.find(({ weekStartsOn }) => weekStartsOn === weeks.at(-2))?.rank;
  return before === undefined || rankNow === null ? 0 : Math.max(0, before - rankNow);
}

/** One's own first, then the others in their order. */
export function ownFirst<Of extends { id: string }>(teams: readonly Of[], ownId: string, most: number): Of[] {
  const own = teams.filter(({ id }) => id === ownId);
  return [...own, ...teams.filter(({ id }) => id !== ownId)].slice(0, most);
}

export type WeekShare = { team: Team | null; miles: number; share: number };

/** Shares of this week's miles by team, the own team first; teams beyond the first four are one share. */
export function sharesOf(teams: readonly Team[], ownId: string): { shares: WeekShare[]; together: number } {
  const moved = teams.filter(({ weeklyMiles }) => weeklyMiles > 0);
  const together = moved.reduce((sum, { weeklyMiles }) => sum + weeklyMiles, 0);
  const byMiles = moved.toSorted((one, other) => other.weeklyMiles - one.weeklyMiles);
  const named = ownFirst(byMiles, ownId, 4);
  const rest = together - named.reduce((sum, { weeklyMiles }) => sum + weeklyMiles, 0);
  const shares: WeekShare[] = named.map((team) => ({
    team,
    miles: team.weeklyMiles,
    share: team.weeklyMiles / together,
  }));
  if (byMiles.length > named.length) shares.push({ team: null, miles: rest, share: rest / together });
  return { shares, together };
}

/** Ten minutes are a mile; at least ten of them are logged at once. Null where a walk is no answer. */
export function minutesToCatchUp(milesAhead: number): number | null {
  const minutes = Math.max(10, Math.ceil(Math.round(milesAhead * 100) / 10));
  return minutes <= 120 ? minutes : null;
}
