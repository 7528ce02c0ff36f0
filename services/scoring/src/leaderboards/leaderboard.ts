import { hiddenMemberName } from '@caravan/contracts/identity.events';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { milesOf } from '@caravan/contracts/miles';
import { ranksOf } from './leaderboard-entry.ts';
import type { BoardStretch } from './leaderboard-entry.ts';

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

export type Standings = {
  readonly userId: string;
  readonly period: BoardPeriod;
  readonly board: { readonly top: BoardStretch; readonly around: BoardStretch };
  readonly people: readonly Person[];
  readonly teams: readonly TeamStanding[];
  readonly ownTeam: TeamStanding | undefined;
};

export function leaderboardOf({ userId, period, board, people, teams, ownTeam }: Standings): Leaderboard {
  const byId = new Map(people.map((person) => [person.userId, person]));
  const around = listed(board.around, period, byId);
  return {
    users: listed(board.top, period, byId),
    teams: teams.map((team) => listedTeam(team, period)),
    userPosition: around.find(({ id }) => id === userId)?.rank ?? null,
    teamPosition: ownTeam ? listedTeam(ownTeam, period).rank : null,
    around,
  };
}

function listed(stretch: BoardStretch, period: BoardPeriod, people: ReadonlyMap<string, Person>): Leaderboard['users'] {
  const ranks = ranksOf(stretch);
  return stretch.entries.map(({ userId, centimiles }, index) => {
    const person = people.get(userId);
    const miles =
      period === 'week'
        ? { totalMiles: milesOf(person?.otherCentimiles ?? centimiles), weeklyMiles: milesOf(centimiles) }
        : { totalMiles: milesOf(centimiles), weeklyMiles: milesOf(person?.otherCentimiles ?? 0) };
    return {
      // By its place: the same row among the first and around the caller, and nobody in particular.
      id: person?.shownId ?? `hidden-${stretch.above + index + 1}`,
      profileId: person?.profileId ?? null,
      rank: ranks[index] ?? 0,
      // Miles can arrive a moment before the news of who earned them.
      name: person?.name ?? hiddenMemberName,
      teamName: person?.teamName ?? '',
      teamEmoji: person?.teamEmoji ?? '',
      photoUrl: person?.photoUrl ?? null,
      ...miles,
    };
  });
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
