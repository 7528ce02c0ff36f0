import { leaderboardSchema } from '@caravan/contracts/http/scores';
import { describe, expect, test } from 'vitest';
import { leaderboardOf, sharedBoardOf } from './leaderboard.ts';
import type { SharedRows, Standings, TeamStanding } from './leaderboard.ts';

const person = (userId: string, name: string) => ({
  userId,
  shownId: userId,
  profileId: userId,
  name,
  photoUrl: null,
  teamName: 'Thunder',
  teamEmoji: '⚡',
  otherCentimiles: 150,
});
const thunder: TeamStanding = {
  id: 'thunder',
  name: 'Thunder',
  emoji: '⚡',
  memberCount: 3,
  centimiles: 1_000,
  weekCentimiles: 400,
  rank: 1,
};
const blazers: TeamStanding = { ...thunder, id: 'blazers', name: 'Blazers', emoji: '🔥', centimiles: 0, rank: 2 };
const top = {
  entries: [
    { userId: 'ada', centimiles: 600 },
    { userId: 'bo', centimiles: 200 },
    { userId: 'cy', centimiles: 200 },
  ],
  above: 0,
  firstRank: 1,
};
const rows: SharedRows = {
  period: 'all',
  top,
  people: [person('ada', 'Ada'), person('bo', 'Bo'), person('cy', 'Cy')],
  standings: [thunder, blazers],
};
const seenByCy = (changes: Partial<SharedRows> = {}): Standings => ({
  userId: 'cy',
  shared: sharedBoardOf({ ...rows, ...changes }),
  around: { entries: top.entries.slice(1), above: 1, firstRank: 2 },
  people: [],
  ownTeamId: 'thunder',
});
const standings = seenByCy();

test('[3.34 D12] the answer has the shape of the contract and ranks 1, 2, 2', () => {
  const answer = leaderboardOf(standings);
  expect(leaderboardSchema.parse(answer)).toEqual(answer);
  expect(answer.users.map(({ name, rank, totalMiles }) => [name, rank, totalMiles])).toEqual([
    ['Ada', 1, 6],
    ['Bo', 2, 2],
    ['Cy', 2, 2],
  ]);
  expect(answer.users[0]).toEqual({
    id: 'ada',
    profileId: 'ada',
    rank: 1,
    name: 'Ada',
    teamName: 'Thunder',
    teamEmoji: '⚡',
    photoUrl: null,
    totalMiles: 6,
    weeklyMiles: 1.5,
  });
  expect(answer).toMatchObject({ userPosition: 2, teamPosition: 1 });
});

test('[3.34] the position is that of the member, whoever stands above them', () => {
  const answer = leaderboardOf({ ...standings, around: top });
  expect([answer.around[0]?.name, answer.userPosition]).toEqual(['Ada', 2]);
});

describe('[D12] without miles', () => {
  test('a member has no position and no neighbours', () => {
    const nobody = { entries: [], above: 0, firstRank: 1 };
    const answer = leaderboardOf({ ...standings, userId: 'dee', around: nobody });
    expect(answer).toMatchObject({ userPosition: null, around: [] });
  });

  test('a team stands on the board without a rank', () => {
    const answer = leaderboardOf({ ...standings, ownTeamId: 'blazers' });
    expect(answer.teams.map(({ name, rank }) => [name, rank])).toEqual([
      ['Thunder', 1],
      ['Blazers', null],
    ]);
    expect(answer.teamPosition).toBeNull();
  });

  test('a team without members has an average of 0', () => {
    const { teams } = leaderboardOf(seenByCy({ standings: [{ ...blazers, memberCount: 0 }] }));
    expect(teams[0]?.averageMiles).toBe(0);
  });
});

test('[D18] a member who hides is listed by what may be shown', () => {
  const [ada, ...others] = rows.people;
  const hidden = { ...(ada ?? person('ada', 'Ada')), shownId: null, profileId: null, name: 'A teammate' };
  const { users } = leaderboardOf(seenByCy({ people: [hidden, ...others] }));
  expect(users[0]).toMatchObject({ id: 'hidden-1', profileId: null, rank: 1, totalMiles: 6, photoUrl: null });
  expect(JSON.stringify(users)).not.toContain('"ada"');
});

test('[D18] who hides sees the own row as always, among the first and beside them, and nobody else does', () => {
  const [ada, bo, cy = person('cy', 'Cy')] = rows.people;
  const hidden = { ...cy, shownId: null, profileId: null, name: 'A teammate' };
  const shared = sharedBoardOf({ ...rows, people: [...(ada && bo ? [ada, bo] : []), hidden] });
  const own = leaderboardOf({ ...standings, shared, people: [cy] });
  expect(own.users.map(({ id, name, rank }) => [id, name, rank])).toEqual([
    ['ada', 'Ada', 1],
    ['bo', 'Bo', 2],
    ['cy', 'Cy', 2],
  ]);
  expect([own.userPosition, own.around.map(({ name }) => name)]).toEqual([2, ['Bo', 'Cy']]);
  const others = leaderboardOf({ ...standings, userId: 'bo', shared, people: [] });
  expect([others.users[2], others.around[1]]).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ id: 'hidden-3', name: 'A teammate', rank: 2 })),
  );
});

test("[D12] a team's average is per member, to a hundredth of a mile", () => {
  expect(leaderboardOf(standings).teams[0]?.averageMiles).toBe(3.33);
});

test('[D12] miles of a member who is not known here yet are listed all the same', () => {
  const { users } = leaderboardOf(seenByCy({ people: [] }));
  expect(users[0]).toMatchObject({ id: 'hidden-1', name: 'A teammate', totalMiles: 6, weeklyMiles: 0 });
});

describe('the list of teams', () => {
  const teams = Array.from({ length: 12 }, (_, nth) => ({
    ...thunder,
    id: `team-${nth + 1}`,
    centimiles: 1_200 - nth * 100,
    rank: nth + 1,
  }));
  const answer = leaderboardOf({ ...seenByCy({ standings: teams }), ownTeamId: 'team-12' });

  test('[9.10] holds the first ten', () => {
    expect(answer.teams.map(({ id, rank }) => [id, rank])).toEqual(
      Array.from({ length: 10 }, (_, nth) => [`team-${nth + 1}`, nth + 1]),
    );
  });

  test('[3.34 9.10] says the position of the own team that is not among them', () => {
    expect(answer.teamPosition).toBe(12);
  });

  test('[3.34] has no position for a member who is in none of them', () => {
    expect(leaderboardOf({ ...standings, ownTeamId: null }).teamPosition).toBeNull();
  });
});

test('[3.34] a team is listed with its name, its members and its miles', () => {
  expect(leaderboardOf(standings).teams[0]).toEqual({
    id: 'thunder',
    rank: 1,
    name: 'Thunder',
    emoji: '⚡',
    memberCount: 3,
    totalMiles: 10,
    weeklyMiles: 4,
    averageMiles: 3.33,
  });
});

test('[D2 3.34] a member whose team is not known is listed without one', () => {
  const [ada, ...others] = rows.people;
  const alone = { ...(ada ?? person('ada', 'Ada')), teamName: null, teamEmoji: null, photoUrl: '/faces/ada' };
  const { users } = leaderboardOf(seenByCy({ people: [alone, ...others] }));
  expect(users[0]).toMatchObject({ name: 'Ada', teamName: '', teamEmoji: '', photoUrl: '/faces/ada' });
  const unknown = leaderboardOf(seenByCy({ people: [] })).users[0];
  expect(unknown).toMatchObject({ profileId: null, teamName: '', teamEmoji: '', photoUrl: null });
});

test('[D18] a member who hides and leads sees the own row in the first place', () => {
  const [ada = person('ada', 'Ada'), ...others] = rows.people;
  const shared = sharedBoardOf({ ...rows, people: [{ ...ada, shownId: null, name: 'A teammate' }, ...others] });
  const own = leaderboardOf({ ...standings, userId: 'ada', shared, people: [ada] });
  expect(own.users.map(({ name }) => name)).toEqual(['Ada', 'Bo', 'Cy']);
});

test('[D18] a member who hides and is not among the first changes no row of theirs', () => {
  const dee = person('dee', 'Dee');
  const around = { entries: [{ userId: 'dee', centimiles: 100 }], above: 3, firstRank: 4 };
  const own = leaderboardOf({ ...standings, userId: 'dee', around, people: [dee] });
  expect(own.users).toEqual(standings.shared.users);
  expect([own.userPosition, own.around[0]?.name]).toEqual([4, 'Dee']);
  const nameless = leaderboardOf({ ...standings, userId: 'dee', around, people: [] });
  expect(nameless.around[0]).toMatchObject({ id: 'hidden-4', name: 'A teammate' });
});

test('[D12 D18] the own row among the first keeps its rank of a tie', () => {
  const [ada, bo, cy = person('cy', 'Cy')] = rows.people;
  const shared = sharedBoardOf({ ...rows, people: ada && bo ? [ada, bo] : [] });
  const own = leaderboardOf({ ...standings, shared, people: [{ ...cy, shownId: null }] });
  expect(own.users[2]).toMatchObject({ id: 'hidden-3', name: 'Cy', rank: 2, totalMiles: 2, weeklyMiles: 1.5 });
});

describe('the board of the running week', () => {
  const ofWeek = {
    period: 'week' as const,
    people: rows.people.map((each) => ({ ...each, otherCentimiles: 1_200 })),
  };

  test('[D12 3.34] ranks by what stands on it and says the total beside it', () => {
    const { users, around, userPosition } = leaderboardOf(seenByCy(ofWeek));
    expect(users.map(({ name, rank, weeklyMiles, totalMiles }) => [name, rank, weeklyMiles, totalMiles])).toEqual([
      ['Ada', 1, 6, 12],
      ['Bo', 2, 2, 12],
      ['Cy', 2, 2, 12],
    ]);
    expect([around[0]?.weeklyMiles, userPosition]).toEqual([2, 2]);
  });

  test('[D12] has a rank for teams with miles in the week only, and the average of the week', () => {
    const resting = { ...thunder, id: 'resting', weekCentimiles: 0, rank: 2 };
    const { teams, teamPosition } = leaderboardOf({
      ...seenByCy({ ...ofWeek, standings: [thunder, resting] }),
      ownTeamId: 'resting',
    });
    expect(teams.map(({ rank, averageMiles, totalMiles }) => [rank, averageMiles, totalMiles])).toEqual([
      [1, 1.33, 10],
      [null, 0, 10],
    ]);
    expect(teamPosition).toBeNull();
  });

  test('[D12] of somebody who is not known here yet says the miles that are', () => {
    const { users } = leaderboardOf(seenByCy({ ...ofWeek, people: [] }));
    expect(users[0]).toMatchObject({ name: 'A teammate', weeklyMiles: 6, totalMiles: 6 });
  });
});
