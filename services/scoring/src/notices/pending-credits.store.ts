import type { Tx } from '@caravan/event-store/core/event-store';

export type Credit = {
  readonly userId: string;
  readonly teamId: string;
  readonly weekStartsOn: string;
  readonly centimiles: number;
};

// A week that nobody has opened yet is waited for, and one that is over for good needs none.
const takeSql = `
  with taken as (
    delete from pending_credit_notices p where id = any($2::bigint[]) and org_id = $1 and (week_starts_on < $3
      or exists (select from challenge_weeks w where w.org_id = $1 and w.week_starts_on = p.week_starts_on))
    returning *
  )
  select c.user_id, c.team_id, week_starts_on, c.centimiles
  from taken t, unnest(t.user_ids, t.team_ids, t.centimiles) as c (user_id, team_id, centimiles) order by t.id`;

/** Removes rows of these ids and answers their credits. */
export async function takePendingCredits(
  tx: Tx,
  { orgId, runningWeek }: { readonly orgId: string; readonly runningWeek: string },
  ids: readonly number[],
): Promise<Credit[]> {
  // One process after the other: each reads figures after the process before it has published.
  await tx.query('select es.lock_keys($1)', [[`notices ${orgId}`]]);
  const { rows } = await tx.query<Credit>(takeSql, [orgId, ids, runningWeek]);
  return rows;
}

const againSql = `
  insert into pending_credit_notices (org_id, week_starts_on, user_ids, team_ids, centimiles)
  select $1, $4, array_agg($2::uuid), array_agg(team_id), array_agg(0) from unnest($3::uuid[]) as again (team_id)`;

type Unfinished = {
  readonly orgId: string;
  readonly startsOn: string;
  readonly userId: string | undefined;
  readonly teamIds: readonly string[];
};

/** Has these teams looked at again, as by a credit of no miles. */
export async function storeUnfinished(tx: Tx, { orgId, startsOn, userId, teamIds }: Unfinished): Promise<void> {
  await tx.query(againSql, [orgId, userId, teamIds, startsOn]);
}
