import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { ranksOf } from './leaderboard-entry.ts';
import type { BoardEntry, BoardStretch } from './leaderboard-entry.ts';

/** 9.10 */
export const listedTeams = 10;

export type Person = {
  readonly userId: string;
  readonly shownId: string | null;
  readonly profileId: string | null;
  readonly name: string;
  readonly photoUrl: string | null;
  readonly teamName: string | null;
  readonly teamEmoji: string | null;
  /** Of the running week on the board of all miles, of all miles on a week's. */
  readonly otherCentimiles: number | null;
};

export type TeamStanding = {
  readonly id: string;
  readonly name: string;
  readonly emoji: string;
  readonly memberCount: number;
  readonly centimiles: number;
  readonly weekCentimiles: number;
  readonly rank: number;
};

/** What everybody of an organisation is shown alike, but for the own row. */
export type SharedBoard = {
  readonly period: BoardPeriod;
  readonly top: readonly BoardEntry[];
  readonly people: ReadonlyMap<string, Person>;
  /** All of them; those that are listed come first. */
  readonly standings: readonly TeamStanding[];
  readonly users: Leaderboard['users'];
  readonly teams: Leaderboard['teams'];
};

/** Beside it, a member's own; `people` are those whom the shared part does not know, and the member as they see themselves. */
export type Standings = {
  readonly userId: string;
  readonly shared: SharedBoard;
  readonly around: BoardStretch;
  readonly people: readonly Person[];
  readonly ownTeamId: string | null;
};

export type SharedRows = {
  readonly period: BoardPeriod;
  readonly top: BoardStretch;
  readonly people: readonly Person[];
  readonly standings: readonly TeamStanding[];
};

export function sharedBoardOf({ period, top, people, standings }: SharedRows): SharedBoard {
  const byId = new Map(people.map((person) => [person.userId, person]));
  return {
    period,
    top: top.entries,
    people: byId,
    standings,
    users: listEntries(top, period, (userId) => byId.get(userId)),
    teams: standings.slice(0, listedTeams).map((team) => listedTeam(team, period)),
  };
}

export function leaderboardOf({ userId, shared, around: stretch, people, ownTeamId }: Standings): Leaderboard {
  const { period, standings, teams } = shared;
  const byId = new Map(people.map((person) => [person.userId, person]));
  const around = listEntries(stretch, period, (id) => byId.get(id) ?? shared.people.get(id));
  const ownTeam = standings.find(({ id }) => id === ownTeamId);
  return {
    users: asSeenBy(userId, shared, byId.get(userId)),
    teams,
    userPosition: around.find(({ id }) => id === userId)?.rank ?? null,
    teamPosition: ownTeam ? listedTeam(ownTeam, period).rank : null,
    around,
  };
}

/** Who hides something sees of themselves what nobody else sees. */
function asSeenBy(userId: string, { top, users, period }: SharedBoard, own: Person | undefined): Leaderboard['users'] {
  const index = own ? top.findIndex((entry) => entry.userId === userId) : -1;
  const entry = top[index];
  const row = users[index];
  // Stryker disable next-line LogicalOperator: both lists are of the same members, so each has the index or neither.
  return entry && row ? users.with(index, rowOf(entry, { rank: row.rank, place: index + 1, period }, own)) : users;
}

function listEntries(
  stretch: BoardStretch,
  period: BoardPeriod,
  personOf: (userId: string) => Person | undefined,
): Leaderboard['users'] {
  const ranks = ranksOf(stretch);
  return stretch.entries.map((entry, index) =>
    rowOf(entry, { rank: ranks[index] ?? 0, place: stretch.above + index + 1, period }, personOf(entry.userId)),
  );
}

function rowOf(
  { centimiles }: BoardEntry,
  { rank, place, period }: { rank: number; place: number; period: BoardPeriod },
  person: Person | undefined,
): Leaderboard['users'][number] {
  const miles =
    period === 'week'
      ? { totalMiles: milesOf(person?.otherCentimiles ?? centimiles), weeklyMiles: milesOf(centimiles) }
      : { totalMiles: milesOf(centimiles), weeklyMiles: milesOf(person?.otherCentimiles ?? 0) };
  return {
    // By its place: the same row among the first and around the caller, and nobody in particular.
    id: person?.shownId ?? `hidden-${place}`,
    profileId: person?.profileId ?? null,
    rank,
    // Miles can arrive a moment before the news of who earned them.
    name: person?.name ?? hiddenMemberName,
    teamName: person?.teamName ?? '',
    teamEmoji: person?.teamEmoji ?? '',
    photoUrl: person?.photoUrl ?? null,
    ...miles,
  };
}

function listedTeam(team: TeamStanding, period: BoardPeriod): Leaderboard['teams'][number] {
  const { id, name, emoji, memberCount, centimiles, weekCentimiles, rank } = team;
  const ranking = period === 'week' ? weekCentimiles : centimiles;
  return {
    id,
    // Without miles a team stands on the board without a place on it (D12).
    rank: ranking > 0 ? rank : null,
    name,
    emoji,
    memberCount,
    totalMiles: milesOf(centimiles),
    weeklyMiles: milesOf(weekCentimiles),
    averageMiles: memberCount > 0 ? Math.round(ranking / memberCount) / 100 : 0,
  };
}
