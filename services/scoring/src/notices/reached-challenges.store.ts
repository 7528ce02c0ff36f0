import type { Tx } from '@caravan/event-store/core/event-store';
import { type FactOfMany, mostPublishedTogether } from '@caravan/event-store/core/publish-together';
import { isReached, noFigures, openedChallenges, ownFiguresOfMany } from '../weekly-challenges/index.ts';
import type { Challenge, WeekFigures } from '../weekly-challenges/index.ts';
import { figuresOfTeams } from './begun-challenges.query.ts';
import { weeklyChallengeReached, weeklyChallengeUnreached } from './public-events.ts';

type When = { readonly orgId: string; readonly at: Date };
type Mover = { readonly userId: string; readonly teamId: string };
type Pair = { readonly challengeId: string; readonly userId: string };

export type Changes = {
  readonly facts: readonly FactOfMany[];
  /** Teams of which not everybody fitted in: they have to be looked at again. */
  readonly unfinished: readonly string[];
  /** Keys for `settled` once this is committed, and those that are to leave it. */
  readonly settled: readonly string[];
  readonly unsettled: readonly string[];
};

// Who can claim it: there before the week was over, for a team's in the team (D14). Whoever has the bonus knows.
const mayClaim = `m.is_active and not m.is_erased and m.joined_on < $4::date + 7
    and not exists (select from weekly_claims c
      where c.org_id = $1 and c.challenge_id = r.challenge_id and c.user_id = m.user_id and c.is_claimed)`;
const insert = `
  insert into reached_challenges (org_id, challenge_id, user_id, team_id, reached_at)
  select $1, r.challenge_id, m.user_id, r.team_id, $3`;
const returning = `on conflict do nothing returning challenge_id, user_id`;

const reachedSql = `${insert}
  from json_to_recordset($2) as r (challenge_id uuid, user_id uuid, team_id uuid)
  join members m on m.org_id = $1 and m.user_id = r.user_id
  where ${mayClaim} order by 2, 3 ${returning}`;

const reachedByTeamSql = `${insert}
  from json_to_recordset($2) as r (challenge_id uuid, team_id uuid)
  join members m on m.org_id = $1 and m.team_id = r.team_id
  where ${mayClaim} and m.in_team_since < $4::date + 7
    and not exists (select from reached_challenges d
      where d.org_id = $1 and d.challenge_id = r.challenge_id and d.user_id = m.user_id)
  order by 2, 3 limit $5 ${returning}`;

const gone = `returning d.challenge_id, d.user_id`;

const unreachedSql = `
  delete from reached_challenges d using json_to_recordset($2) as r (challenge_id uuid, user_id uuid)
  where d.org_id = $1 and d.challenge_id = r.challenge_id and d.user_id = r.user_id ${gone}`;

const unreachedByTeamSql = `
  delete from reached_challenges d where ctid = any(array(
    select e.ctid from json_to_recordset($2) as r (challenge_id uuid, team_id uuid)
    join reached_challenges e on e.org_id = $1 and e.challenge_id = r.challenge_id and e.team_id = r.team_id
    limit $3)) ${gone}`;

type Standing = { readonly challenge: Challenge; readonly userId?: string; readonly teamId: string };
type Standings = { readonly reached: readonly Standing[]; readonly missed: readonly Standing[] };
type Week = {
  readonly startsOn: string;
  readonly movers: readonly Mover[];
  /** Teams' challenges that everybody was told of, by `keyOf`: they are not looked through for every credit. */
  readonly settled: { has(key: string): boolean };
};

const keyOf = ({ challenge, teamId }: Standing): string => `${challenge.challengeId} ${teamId}`;

/** What some members' new credits have changed about a week's challenges, for them and for their teams. */
export async function reachedAndUnreached(tx: Tx, when: When, { startsOn, movers, settled }: Week): Promise<Changes> {
  const { orgId, at } = when;
  const challenges = await openedChallenges(tx, { orgId, startsOn });
  if (challenges.length === 0) return { facts: [], unfinished: [], settled: [], unsettled: [] };
  const asked = { orgId, challenges, members: movers };
  const own = await ownStandings(tx, asked);
  const teams = await teamStandings(tx, asked);
  const open = teams.reached.filter((one) => !settled.has(keyOf(one)));
  const most = mostPublishedTogether;
  const reached = await tx.query<Pair>(reachedSql, [orgId, rowsOf(own.reached), at, startsOn]);
  const byTeam = await tx.query<Pair>(reachedByTeamSql, [orgId, rowsOf(open), at, startsOn, most]);
  const missed = await tx.query<Pair>(unreachedSql, [orgId, rowsOf(own.missed)]);
  const missedByTeam = await tx.query<Pair>(unreachedByTeamSql, [orgId, rowsOf(teams.missed), most]);
  const isCut = byTeam.rows.length === most || missedByTeam.rows.length === most;
  const byId = new Map(challenges.map((challenge) => [challenge.challengeId, challenge]));
  const facts = [
    ...[...reached.rows, ...byTeam.rows].flatMap((pair) =>
      reachedFact(byId.get(pair.challengeId), pair, { orgId, at }),
    ),
    ...[...missed.rows, ...missedByTeam.rows].flatMap((pair) =>
      unreachedFact(byId.get(pair.challengeId), pair, { orgId, at }),
    ),
  ];
  const teamIds = [...new Set(movers.map(({ teamId }) => teamId))];
  return {
    facts,
    unfinished: isCut ? teamIds : [],
    settled: isCut ? [] : open.map(keyOf),
    unsettled: teams.missed.map(keyOf),
  };
}

const rowsOf = (standings: readonly Standing[]): string =>
  JSON.stringify(
    standings.map(({ challenge, userId, teamId }) => {
      return { challenge_id: challenge.challengeId, user_id: userId, team_id: teamId };
    }),
  );

type Asked = Parameters<typeof figuresOfTeams>[1];

async function ownStandings(tx: Tx, { orgId, challenges, members }: Asked): Promise<Standings> {
  const weekStartsOn = challenges[0]?.weekStartsOn ?? '';
  const userIds = members.map(({ userId }) => userId);
  const figures = await ownFiguresOfMany(tx, { orgId, weekStartsOn, userIds });
  const individual = challenges.filter(({ challengeType }) => challengeType === 'individual');
  return partition(
    members.flatMap((member) => individual.map((challenge) => ({ challenge, ...member }))),
    ({ userId }) => figures.get(userId) ?? noFigures,
  );
}

async function teamStandings(tx: Tx, asked: Asked): Promise<Standings> {
  const figures = await figuresOfTeams(tx, asked);
  const teams = asked.challenges.filter(({ challengeType }) => challengeType === 'team');
  return partition(
    [...figures.keys()].flatMap((teamId) => teams.map((challenge) => ({ challenge, teamId }))),
    ({ teamId }) => figures.get(teamId) ?? noFigures,
  );
}

function partition<One extends Standing>(all: readonly One[], figuresOf: (one: One) => WeekFigures): Standings {
  const parts = Map.groupBy(all, (one) => isReached(one.challenge, figuresOf(one)));
  return { reached: parts.get(true) ?? [], missed: parts.get(false) ?? [] };
}

function reachedFact(challenge: Challenge | undefined, { userId }: Pair, when: When): FactOfMany[] {
  if (!challenge) return [];
  return [{ ...weeklyChallengeReached(challenge, userId, when.at), ...when, key: userId }];
}

function unreachedFact(challenge: Challenge | undefined, { userId }: Pair, when: When): FactOfMany[] {
  if (!challenge) return [];
  return [{ ...weeklyChallengeUnreached(challenge, userId, when.at), ...when, key: userId }];
}
