import { strangerId } from '@caravan/contracts/domain/unnamed';
import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { isOffBoardsSql, profileIdSql, shownIdSql, shownNameSql, shownPhotoSql } from '../directory/index.ts';
import type { BoardEntry, WhichBoard } from './leaderboard-entry.ts';
import type { Person, TeamStanding } from './leaderboard.ts';
import type { VersionedTotal } from './redis-leaderboard.client.ts';

// $1 is the organisation, $2 the week's Monday or null. A week has no index in the order of its board.
const columns = 'org_id, user_id, centimiles, reached_at, version';
const ofAll = `select ${columns} from member_totals where org_id = $1 and $2::date is null`;
const ofWeek = `select ${columns} from member_weeks where org_id = $1 and week_starts_on = $2`;

/** SQL of a sum by `user_id`, $1 is the organisation. One look-up: for a join the planner sorts the whole board. */
export const isOnBoardsSql = `user_id <> all(array(
  select m.user_id from members m where m.org_id = $1 and ${isOffBoardsSql}))`;

/** SQL of a sum and of its member `m`, who may not be known yet: the miles that count for a place on a board. */
export const boardMilesSql = (centimiles: string): string =>
  `case when ${isOffBoardsSql} then 0 else ${centimiles} end`;

/** SQL of a sum and of its member `m`: grows with each entry, and each time the member leaves the boards or returns. */
export const boardVersionSql = (version: string): string => `${version} + coalesce(m.board_changes, 0)`;

/** SQL of the member `m` of a sum `t`, looked up one by one: a plan made for few would read the whole organisation. */
export const boardMemberSql = `left join lateral (
    select * from members where org_id = t.org_id and user_id = t.user_id offset 0) m on true`;

const inOrder = '-centimiles, reached_at, user_id';
const entryColumns = `user_id, centimiles`;

const boardOf = ({ weekStartsOn }: WhichBoard) =>
  weekStartsOn === null
    ? `with board as not materialized (${ofAll} and centimiles > 0 and ${isOnBoardsSql})`
    : `with board as materialized (${ofWeek} and centimiles > 0 and ${isOnBoardsSql})`;

export const topSql = (board: WhichBoard): string => `
  ${boardOf(board)}
  select ${entryColumns} from board order by ${inOrder} limit $3`;

const place = '(-centimiles, reached_at, user_id)';
// Scalars, not a join: only then an index in the order of the board leads there.
const placeOf = (line: string) =>
  `((select score from ${line}), (select reached_at from ${line}), (select user_id from ${line}))`;

/** A member ($3) with neighbours ($4) on both sides. */
export const aroundSql = (board: WhichBoard): string => `
  ${boardOf(board)}, own as (
    select -centimiles as score, reached_at, user_id from board where user_id = $3
  ), above as (
    select user_id, centimiles, reached_at from board where ${place} < ${placeOf('own')}
    order by -centimiles desc, reached_at desc, user_id desc limit $4
  ), below as (
    select user_id, centimiles, reached_at from board where ${place} >= ${placeOf('own')}
    order by ${inOrder} limit $4 + 1
  ), around as materialized (
    table above union all table below
  ), first as (
    select -centimiles as score, reached_at, user_id from around order by ${inOrder} limit 1
  ), counts as materialized (
    select (select count(*) from board where ${place} < ${placeOf('first')}) as above,
      -- Who shares the first one's rank stands above without being ahead (D12).
      (select count(*) from board where -centimiles = (select score from first) and ${place} < ${placeOf('first')}) as level
  )
  select ${entryColumns}, above, 1 + above - level as rank from around, counts order by ${inOrder}`;

/** A member who is off the boards has an entry without miles: an older state that arrives later changes nothing. */
export const partSql = ({ weekStartsOn }: WhichBoard): string => `
  select t.user_id, ${boardMilesSql('t.centimiles')} as centimiles, t.reached_at,
    ${boardVersionSql('t.version')} as version
  from (${weekStartsOn === null ? ofAll : ofWeek}) t ${boardMemberSql}
  where t.user_id > $3 order by t.user_id limit $4`;

/**
 * A new one begins when Redis has missed a change, when somebody leaves the boards or returns, and when the rows of
 * miles or of members were rebuilt. $1 is the organisation.
 */
export const generationSql = `concat_ws('.',
    coalesce((select generation from es.projections where name = 'miles-ledger'), 0),
    coalesce((select generation from es.projections where name = 'directory'), 0),
    coalesce((select generation from board_generations where org_id = $1), 0))`;

/** Another one whenever what is shown of members or teams has changed. $1 is the organisation. */
export const directoryChangeSql = `
    coalesce((select directory_change from board_generations where org_id = $1), 0)`;

export type BoardReader = {
  readonly userId: string;
  readonly teamId: string;
  readonly version: number;
  readonly weekVersion: number;
  readonly weekCentimiles: number;
};

// Looked up reader by reader: joined, a plan made for few would read the whole organisation.
const readersSql = `
  select m.user_id, m.team_id,
    coalesce(${boardVersionSql('t.version')}, 0) as version, coalesce(${boardVersionSql('w.version')}, 0) as week_version, coalesce(w.centimiles, 0) as week_centimiles
  from members m
  left join lateral (
    select version from member_totals where org_id = $1 and user_id = m.user_id offset 0) t on true
  left join lateral (
    select version, centimiles from member_weeks where org_id = $1 and user_id = m.user_id and week_starts_on = $3 offset 0) w on true
  where m.org_id = $1 and m.user_id = any($2::uuid[])
    and m.stats_visible and m.profile_visible and m.activity_visible and m.is_active and not m.is_erased`;

/** Who hides something sees more and asks (ADR 0014), and so does who is not known here yet. */
export async function boardReaders(
  pool: Pool,
  orgId: string,
  { readers, weekStartsOn }: { readers: readonly string[]; weekStartsOn: string },
): Promise<readonly BoardReader[]> {
  return (await tenantQuery<BoardReader>(pool, orgId, readersSql, [orgId, readers, weekStartsOn])).rows;
}

/** $1: the organisation, $3: the running Monday. Adds credits not in the sums yet; retired teams stay (D2). */
export const teamStandingsSql = `
  pending as (
    select team_id, sum(centimiles) as centimiles, max(credited_at) as reached_at,
      coalesce(sum(centimiles) filter (where week_starts_on = $3), 0) as week_centimiles,
      max(coalesce(week_reached_at, credited_at)) filter (where week_starts_on = $3) as week_reached_at
    from pending_team_credits_of($1) group by team_id
  ), standings as (
    select t.team_id, t.name, t.emoji, t.formed_position, t.member_count, t.is_retired,
      coalesce(s.centimiles, 0) + coalesce(f.centimiles, 0) as centimiles,
      coalesce(w.centimiles, 0) + coalesce(f.week_centimiles, 0) as week_centimiles,
      greatest(s.reached_at, f.reached_at) as reached_at, greatest(w.reached_at, f.week_reached_at) as week_reached_at
    from teams t
    left join team_totals s on s.org_id = t.org_id and s.team_id = t.team_id
    left join team_weeks w on w.org_id = t.org_id and w.team_id = t.team_id and w.week_starts_on = $3
    left join pending f on f.team_id = t.team_id
    where t.org_id = $1 and (not t.is_retired or coalesce(s.centimiles, 0) + coalesce(f.centimiles, 0) > 0)
  )`;

export type Freshness = {
  readonly generation: string;
  /** The reader's own total in the rows; null before the first credit. */
  readonly ownTotal: (Omit<VersionedTotal, 'userId' | 'reachedAt'> & { readonly reachedAt: string }) | null;
};

const ownTotalSql = (sums: string, where = '') => `(
  select json_build_object('centimiles', ${boardMilesSql('t.centimiles')}, 'reachedAt', t.reached_at,
    'version', ${boardVersionSql('t.version')})
  from ${sums} t ${boardMemberSql} where t.org_id = $1 and t.user_id = $2 ${where}
) as own_total`;

/** The columns of `Freshness` for the board of all miles. $1 is the organisation, $2 the member. */
export const freshnessColumns = `
  ${generationSql} as generation, ${ownTotalSql('member_totals')}`;

export const weekFreshnessColumns = `
  ${generationSql} as generation,
  ${ownTotalSql('member_weeks', 'and t.week_starts_on = $3')}`;

/** A board of one period as it stands in the running week. */
export type WhichPage = { readonly orgId: string; readonly period: BoardPeriod; readonly runningWeek: string };

type Ranking = { freshness: string; teamMiles: string; reached: string; otherMiles: string };
const rankings: Record<BoardPeriod, Ranking> = {
  all: {
    freshness: freshnessColumns,
    teamMiles: 'centimiles',
    reached: 'reached_at',
    otherMiles:
      'select centimiles from member_weeks w where w.org_id = $1 and w.week_starts_on = $3 and w.user_id = m.user_id',
  },
  week: {
    freshness: weekFreshnessColumns,
    teamMiles: 'week_centimiles',
    reached: 'week_reached_at',
    otherMiles: 'select centimiles from member_totals a where a.org_id = $1 and a.user_id = m.user_id',
  },
};

// Miles are looked up person by person: a plan made for an empty week would read all of it each time.
const peopleSql = ({ otherMiles }: Ranking) => `
  (select coalesce(json_agg(json_build_object('userId', m.user_id, 'shownId', ${shownIdSql}, 'profileId', ${profileIdSql},
      'name', ${shownNameSql}, 'photoUrl', ${shownPhotoSql}, 'teamName', t.name, 'teamEmoji', t.emoji,
      'otherCentimiles', (${otherMiles}))), '[]')
    from members m left join teams t on t.org_id = m.org_id and t.team_id = m.team_id
    where m.org_id = $1 and m.user_id = any($4::uuid[])) as people`;

const sharedSql = (ranking: Ranking) => `
  with ${teamStandingsSql}
  select ${generationSql} as generation, ${directoryChangeSql} as directory_change, ${peopleSql(ranking)},
    (select coalesce(json_agg(json_build_object('id', team_id, 'name', name, 'emoji', emoji, 'memberCount', member_count,
        'centimiles', centimiles, 'weekCentimiles', week_centimiles, 'rank', rank, 'place', place) order by place), '[]') from (
      select team_id, name, emoji, member_count, centimiles, week_centimiles,
        rank() over (order by ${ranking.teamMiles} desc) as rank,
        row_number() over (order by ${ranking.teamMiles} desc, ${ranking.reached}, formed_position) as place
      from standings where not is_retired or ${ranking.teamMiles} > 0
    ) r) as standings`;
const sharedSqls = { all: sharedSql(rankings.all), week: sharedSql(rankings.week) };

const besideSql = (ranking: Ranking) => `
  select ${ranking.freshness}, ${directoryChangeSql} as directory_change, ${peopleSql(ranking)},
    (select team_id from members where org_id = $1 and user_id = $2) as own_team_id`;
const besideSqls = { all: besideSql(rankings.all), week: besideSql(rankings.week) };

/** The versions at which rows were read; the same for every reader. */
export type Stands = { readonly generation: string; readonly directoryChange: number };
type SharedRow = Stands & { people: Person[]; standings: TeamStanding[] };
export type Beside = Stands & Freshness & { ownTeamId: string | null; people: Person[] };

/** The board as a stranger sees it, with these people. */
export const boardForAll = (pool: Pool, which: WhichPage, people: readonly string[]): Promise<SharedRow> =>
  boardRow(pool, which, sharedSqls[which.period], [strangerId, which.runningWeek, people]);

/** Reads the rows that one reader sees beside the board: their own entry, and people as that reader may see them. */
export const besideBoard = (pool: Pool, which: WhichPage, userId: string, people: readonly string[]): Promise<Beside> =>
  boardRow(pool, which, besideSqls[which.period], [userId, which.runningWeek, people]);

async function boardRow<Row extends object>(
  pool: Pool,
  { orgId }: WhichPage,
  sql: string,
  values: readonly unknown[],
): Promise<Row> {
  const { rows } = await tenantQuery<Row>(pool, orgId, sql, [orgId, ...values]);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row');
  return row;
}

export type AskedBoard = WhichBoard & { readonly userId: string };

export async function readBoard(
  pool: Pool,
  asked: AskedBoard,
  { top, neighbours }: { readonly top: number; readonly neighbours: number },
) {
  const { orgId, userId, weekStartsOn } = asked;
  const which = [orgId, weekStartsOn];
  const [first, around] = await Promise.all([
    top > 0 ? tenantQuery<BoardEntry>(pool, orgId, topSql(asked), [...which, top]) : { rows: [] },
    tenantQuery<BoardEntry & { above: number; rank: number }>(pool, orgId, aroundSql(asked), [
      ...which,
      userId,
      neighbours,
    ]),
  ]);
  return {
    top: { entries: first.rows, above: 0, firstRank: 1 },
    around: { entries: around.rows, above: around.rows[0]?.above ?? 0, firstRank: around.rows[0]?.rank ?? 1 },
  };
}
