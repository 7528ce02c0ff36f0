import { randomUUIDv7 } from 'node:crypto';
import { textKey } from '@caravan/contracts/domain/text/text-key';
import type { Tx, Unit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { notFound, usualEndOf, type OpenBallot } from './ballot.ts';
import { namesOf, shownSql } from './ballots.query.ts';
import { assertNames, suggestedNames } from './names.ts';
import { ballotStream } from './ballot-stream.ts';
import type { OptionNames } from './public-events.ts';

/** Whatever opens ballots of an organisation or changes names does so one at a time. */
export async function lockOrganisation({ tx, meta }: Unit): Promise<void> {
  await tx.query('select es.lock_keys(array[$1])', [meta.orgId]);
}

export type BallotTeam = { readonly teamId: string; readonly name: string; readonly isRetired: boolean };

/** Throws `Rejected` for what is no team of the organisation. */
export async function teamOf({ tx, meta }: Unit, teamId: string): Promise<BallotTeam> {
  const { rows } = await tx.query<BallotTeam>(
    'select team_id, name, is_retired from teams where org_id = $1 and team_id = $2',
    [meta.orgId, teamId],
  );
  if (!rows[0]) throw new Rejected('team/not-found', 'not-found', 'This team does not exist');
  return rows[0];
}

/** In the order in which they were formed. */
export async function teamsWithoutBallot({ tx, meta }: Unit): Promise<BallotTeam[]> {
  const { rows } = await tx.query<BallotTeam>(
    `select t.team_id, t.name, t.is_retired from teams t
     where t.org_id = $1 and not t.is_retired and not exists (select from ballots b
       where b.org_id = t.org_id and b.team_id = t.team_id and b.decided_at is null)
     order by t.formed_position, t.team_id`,
    [meta.orgId],
  );
  return rows;
}

/** False when the ballots of the first set-up were opened before. */
export async function startFirstRound(tx: Tx, orgId: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into first_ballot_rounds (org_id, opened_at) values ($1, $2) on conflict do nothing',
    [orgId, at],
  );
  return rowCount !== 0;
}

/** `place` is that of the name in the ranking; null when the team kept the one it had. */
export async function storeBallotResult(
  tx: Tx,
  orgId: string,
  { ballotId, place }: { readonly ballotId: string; readonly place: number | null },
): Promise<void> {
  await tx.query(
    `insert into ballot_results (org_id, ballot_id, place) values ($1, $2, $3)
     on conflict (org_id, ballot_id) do nothing`,
    [orgId, ballotId, place],
  );
}

export async function forgetBallotNames(tx: Tx, orgId: string): Promise<void> {
  await tx.query('delete from ballot_names where org_id = $1', [orgId]);
}

type Wish = {
  readonly reason: OpenBallot['reason'];
  readonly names?: readonly string[] | undefined;
  readonly endsAt?: Date | undefined;
};

/** Under the organisation's lock; answers the ballot's id. Throws `Rejected` by the rules. */
export async function openBallot(unit: Unit, team: BallotTeam, { reason, names, endsAt }: Wish): Promise<string> {
  const { tx, meta } = unit;
  const { teamId, isRetired } = team;
  const ballotId = randomUUIDv7();
  const options = await keepNames(unit, { ballotId, teamId }, names);
  const { rowCount } = await tx.query('select from ballots where org_id = $1 and team_id = $2 and decided_at is null', [
    meta.orgId,
    teamId,
  ]);
  const command: OpenBallot = {
    type: 'OpenBallot',
    ballotId,
    teamId,
    optionIds: [...options.keys()],
    reason,
    endsAt: endsAt ?? usualEndOf(meta.at),
    isTeamRetired: isRetired,
    isOtherOpen: rowCount !== 0,
  };
  await unit.create(ballotStream, ballotId, command, options);
  return ballotId;
}

/** Those typed, else names that are suggested; they take the place of those before. Throws for a name that is taken. */
export async function keepNames(
  { tx, meta }: Unit,
  { ballotId, teamId }: { ballotId: string; teamId: string },
  typed: readonly string[] | undefined,
): Promise<OptionNames> {
  const { orgId } = meta;
  const { ofTeams, offered, company } = await namesAround(tx, { orgId, teamId });
  if (typed) assertNames(typed, ofTeams);
  const names = typed ?? suggestedNames(company, teamId, new Set([...ofTeams, ...offered]));
  const options = new Map(names.map((name) => [randomUUIDv7(), name]));
  await tx.query('delete from ballot_names where org_id = $1 and ballot_id = $2', [orgId, ballotId]);
  await tx.query(
    `insert into ballot_names (org_id, ballot_id, option_id, name)
     select $1, $2, * from unnest($3::uuid[], $4::text[])`,
    [orgId, ballotId, [...options.keys()], names],
  );
  return options;
}

type Around = {
  readonly ofTeams: ReadonlySet<string>;
  readonly offered: ReadonlySet<string>;
  readonly company: { readonly traits: readonly string[]; readonly industry: string | null };
};

/** How the other open teams are called, and what all teams' ballots and the team itself have beside it. */
async function namesAround(tx: Unit['tx'], { orgId, teamId }: { orgId: string; teamId: string }): Promise<Around> {
  const { rows: teams } = await tx.query<{ name: string; isOwn: boolean }>(
    'select name, team_id = $2 as is_own from teams where org_id = $1 and (not is_retired or team_id = $2)',
    [orgId, teamId],
  );
  const { rows: offered } = await tx.query<{ name: string }>(
    `select n.name from ballots b join ballot_names n on (n.org_id, n.ballot_id) = (b.org_id, b.ballot_id)
     where b.org_id = $1 and b.decided_at is null`,
    [orgId],
  );
  const { rows: companies } = await tx.query<Around['company']>(
    'select brand_traits as traits, industry from organisations where org_id = $1',
    [orgId],
  );
  const keysOf = (rows: readonly { name: string }[]) => new Set(rows.map(({ name }) => textKey(name)));
  return {
    ofTeams: keysOf(teams.filter(({ isOwn }) => !isOwn)),
    offered: keysOf([...offered, ...teams]),
    company: companies[0] ?? { traits: [], industry: null },
  };
}

export type LockedBallot = {
  readonly ballotId: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly names: OptionNames;
};

/** Votes and the end of a ballot come one after the other. Throws `Rejected` for what is no ballot of the organisation. */
export function lockedBallot(unit: Unit, ballotId: string): Promise<LockedBallot> {
  return lockBallots(unit, 'b.ballot_id = $2', [ballotId]);
}

/** The newest of the caller's own team. Throws `Rejected` (404) for another team, and where none is shown. */
export function lockedBallotOfTeam(unit: Unit, { userId, teamId }: { userId: string; teamId: string }) {
  const isOwn = `b.team_id::text = $2 and exists (select from members m where m.org_id = b.org_id and m.user_id = $3
    and m.team_id = b.team_id) and ${shownSql('$4::timestamptz')}`;
  return lockBallots(unit, isOwn, [teamId, userId, unit.meta.at]);
}

async function lockBallots({ tx, meta }: Unit, where: string, values: readonly unknown[]): Promise<LockedBallot> {
  const { rows } = await tx.query<Omit<LockedBallot, 'names'>>(
    `select b.ballot_id, b.team_id,
       coalesce((select name from teams t where (t.org_id, t.team_id) = (b.org_id, b.team_id)), '') as team_name
     from ballots b where b.org_id = $1 and ${where} order by b.opened_at desc limit 1 for update`,
    [meta.orgId, ...values],
  );
  const [ballot] = rows;
  if (!ballot) throw notFound();
  return { ...ballot, names: await namesOf(tx, meta.orgId, [ballot.ballotId]) };
}
