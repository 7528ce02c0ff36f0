import type { Ballot, BallotResult, BallotState, NameOptions } from '@caravan/contracts/http/ballots';
import { formerTeamName } from '@caravan/contracts/domain/unnamed';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Recorded } from '@caravan/event-store/core/projection';
import type { BallotEvent } from './ballot.ts';
import { notFound } from './ballot.ts';
import type { OptionNames } from './public-events.ts';

/** How long the result of a ballot is shown to its team. */
const shownDays = 7;

/** Of the ballots `b` those that their team is shown at instant `at`. */
export const shownSql = (at: string) => `(b.decided_at is null or b.decided_at > ${at} - interval '${shownDays} days')`;

type Option = { readonly optionId: string; readonly name: string; readonly votes: number };

export type BallotRow = {
  readonly id: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly teamEmoji: string;
  readonly openedAt: Date;
  readonly endsAt: Date;
  readonly decidedAt: Date | null;
  readonly ranking: readonly string[];
  readonly isSettled: boolean;
  readonly place: number | null;
  readonly options: readonly Option[];
  readonly members: number;
};

const ballotsSql = `
  select b.ballot_id as id, b.team_id, coalesce(t.name, '${formerTeamName}') as team_name,
    coalesce(t.emoji, '') as team_emoji, b.opened_at, b.ends_at, b.decided_at,
    b.ranking, r.ballot_id is not null as is_settled, r.place,
    (select coalesce(json_agg(json_build_object('optionId', o.option_id, 'votes', o.votes,
        'name', coalesce(n.name, '${formerTeamName}')) order by o.place), '[]')
      from ballot_options o left join ballot_names n
        on (n.org_id, n.ballot_id, n.option_id) = (o.org_id, o.ballot_id, o.option_id)
      where (o.org_id, o.ballot_id) = (b.org_id, b.ballot_id)) as options,
    (select count(*)::int from members m
      where (m.org_id, m.team_id) = (b.org_id, b.team_id) and m.is_active and not m.is_erased) as members
  from ballots b
  left join teams t on (t.org_id, t.team_id) = (b.org_id, b.team_id)
  left join ballot_results r on (r.org_id, r.ballot_id) = (b.org_id, b.ballot_id)
  where b.org_id = $1`;

export async function ballotsOf(tx: Tx, orgId: string, ballotIds: readonly string[]): Promise<BallotRow[]> {
  const { rows } = await tx.query<BallotRow>(`${ballotsSql} and b.ballot_id = any($2::uuid[])`, [orgId, ballotIds]);
  return rows;
}

/** One more than the limit where there are more. */
export async function pageOfBallots(
  tx: Tx,
  orgId: string,
  { before, limit }: { before: readonly [string, string] | undefined; limit: number },
): Promise<BallotRow[]> {
  const { rows } = await tx.query<BallotRow>(
    `${ballotsSql} and (b.opened_at, b.ballot_id) < ($2, $3) order by b.opened_at desc, b.ballot_id desc limit $4`,
    [orgId, ...(before ?? ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']), limit + 1],
  );
  return rows;
}

type Own = { readonly ballotId: string; readonly hasVoted: boolean; readonly optionId: string | null };

/** The newest ballot of the caller's own team. Throws `Rejected` (404) for another team and where there is none. */
export async function nameOptionsFor(
  tx: Tx,
  { orgId, userId, at }: { orgId: string; userId: string; at: Date },
  teamId: string,
): Promise<NameOptions> {
  const { rows } = await tx.query<Own>(
    `select b.ballot_id, v.user_id is not null as has_voted, v.option_id
     from members m join ballots b on (b.org_id, b.team_id) = (m.org_id, m.team_id)
     left join ballot_votes v on (v.org_id, v.ballot_id, v.user_id) = (b.org_id, b.ballot_id, m.user_id)
     where m.org_id = $1 and m.user_id = $2 and m.team_id::text = $3 and ${shownSql('$4::timestamptz')}
     order by b.opened_at desc limit 1`,
    [orgId, userId, teamId, at],
  );
  const [own] = rows;
  const [row] = own ? await ballotsOf(tx, orgId, [own.ballotId]) : [];
  if (!own || !row) throw notFound();
  return { ...optionsAsSeen(row, own.hasVoted, at), chosenName: nameOf(row, own.optionId) };
}

/** Sealed for who could vote and has not (D53). */
export function optionsAsSeen(row: BallotRow, hasVoted: boolean, at: Date): Omit<NameOptions, 'chosenName'> {
  const state = stateOf(row, at);
  const isOpened = hasVoted || state === 'decided';
  return {
    ballotId: row.id,
    state,
    nameOptions: row.options.map(({ name, votes }) => ({ name, votes: isOpened ? votes : 0 })),
    hasVoted,
    votingPeriod: { endsAt: endOf(row).toISOString() },
    result: resultOf(row),
  };
}

/** What admins see: how many have voted, and the counts once it is decided. */
export function ballotAsManaged(row: BallotRow, at: Date): Ballot {
  const state = stateOf(row, at);
  const voted = row.options.reduce((sum, { votes }) => sum + votes, 0);
  return {
    id: row.id,
    team: { id: row.teamId, name: row.teamName, emoji: row.teamEmoji },
    state,
    names: row.options.map(({ name, votes }) => ({ name, votes: state === 'decided' ? votes : null })),
    openedAt: row.openedAt.toISOString(),
    endsAt: endOf(row).toISOString(),
    // Who has voted and left the team meanwhile is counted as well.
    turnout: { voted, members: Math.max(row.members, voted) },
    result: resultOf(row),
  };
}

function stateOf({ decidedAt, isSettled, endsAt }: BallotRow, at: Date): BallotState {
  if (isSettled) return 'decided';
  return decidedAt || at >= endsAt ? 'closed' : 'open';
}

const endOf = ({ decidedAt, endsAt }: BallotRow) => (decidedAt && decidedAt < endsAt ? decidedAt : endsAt);

function resultOf(row: BallotRow): BallotResult | null {
  if (!row.isSettled) return null;
  const { place, ranking } = row;
  return {
    name: place === null ? null : nameOf(row, ranking[place] ?? null),
    passedOver: ranking.slice(0, place ?? ranking.length).map((optionId) => nameOf(row, optionId) ?? formerTeamName),
  };
}

const nameOf = ({ options }: BallotRow, id: string | null) =>
  options.find(({ optionId }) => optionId === id)?.name ?? null;

/** How the options of a ballot are called. */
export async function namesOf(tx: Tx, orgId: string, ballotIds: readonly string[]): Promise<OptionNames> {
  const { rows } = await tx.query<{ optionId: string; name: string }>(
    'select option_id, name from ballot_names where org_id = $1 and ballot_id = any($2::uuid[])',
    [orgId, ballotIds],
  );
  return new Map(rows.map(({ optionId, name }) => [optionId, name]));
}

/** For the history that is told again. */
export async function namesOfEach(tx: Tx, events: readonly Recorded<BallotEvent>[]): Promise<readonly OptionNames[]> {
  const ballots = Map.groupBy(events, ({ orgId }) => orgId);
  const named = [...ballots].map(([orgId, theirs]) =>
    namesOf(
      tx,
      orgId,
      theirs.map(({ data }) => data.ballotId),
    ),
  );
  const names = new Map((await Promise.all(named)).flatMap((each) => [...each]));
  return events.map(() => names);
}

/** Other ballots of the organisation that are over and not decided yet, and ended no later than this one, in order. */
export async function ballotsOverBefore(
  tx: Tx,
  { orgId, ballotId, at }: { readonly orgId: string; readonly ballotId: string; readonly at: Date },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select o.ballot_id as id from ballots o join ballots b on b.org_id = o.org_id and b.ballot_id = $2
     where o.org_id = $1 and o.ballot_id <> $2 and o.decided_at is null and o.ends_at <= least(b.ends_at, $3)
     order by o.ends_at, o.ballot_id`,
    [orgId, ballotId, at],
  );
  return rows.map(({ id }) => id);
}
