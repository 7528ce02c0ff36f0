import type { WhichBoard } from './board-entry.ts';

// The rows behind a board, as SQL: $1 is the organisation, $2 the Monday of the week or null for all miles.
// A week has no index in the order of its board, so its rows are read once per question and ordered then.
const columns = 'user_id, centimiles, reached_at, version';
const ofAll = `select ${columns} from member_totals where org_id = $1 and $2::date is null`;
const ofWeek = `select ${columns} from member_weeks where org_id = $1 and week_starts_on = $2`;

const inOrder = '-centimiles, reached_at, user_id';
const entryColumns = `user_id as "userId", centimiles`;

const boardOf = ({ weekStartsOn }: WhichBoard) =>
  weekStartsOn === null
    ? `with board as not materialized (${ofAll} and centimiles > 0)`
    : `with board as materialized (${ofWeek} and centimiles > 0)`;

/** The first lines of a board; $3 says how many. */
export const topSql = (board: WhichBoard): string => `
  ${boardOf(board)}
  select ${entryColumns} from board order by ${inOrder} limit $3`;

const place = '(-centimiles, reached_at, user_id)';
// Scalars, not a join: only then an index in the order of the board leads there.
const placeOf = (line: string) =>
  `((select score from ${line}), (select reached_at from ${line}), (select user_id from ${line}))`;

/** A member ($3) with neighbours ($4) on both sides; with each how many stand above all of these, and the first one's rank. */
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

/** A part of a board's rows, by member: those after $3, at most $4. */
export const partSql = ({ weekStartsOn }: WhichBoard): string => `
  select user_id as "userId", centimiles, reached_at as "reachedAt", version
  from (${weekStartsOn === null ? ofAll : ofWeek}) board where user_id > $3 order by user_id limit $4`;
