import type { Tx } from '@caravan/event-store/core/event-store';
import type { Owner } from '../importing/index.ts';
import type { Run } from './run.ts';

export type RunRef = Pick<Run, 'orgId' | 'runId'>;

/** A condition on accounts `a`; its own values begin at `$2`. */
export type CaughtUp = { readonly where: string; readonly values: readonly unknown[] };

/** Accounts whose members are deactivated rest. `of` names a table with an organisation and a member. */
export const isNotPaused = (of: string): string =>
  `not exists (select from deactivated_members d where (d.org_id, d.user_id) = (${of}.org_id, ${of}.user_id))`;

/** Runs one at a time for each platform, so that waiting members and webhooks keep their share of its calls. */
const secondsApart = `case provider when 'strava' then 15 else 1 end`;
/** Later than that, the nightly sync fetches it anyway. */
const longestSeconds = 6 * 3_600;
const overlapDays = 3;

// A run goes on where it was read to be, and instants are read to the millisecond.
const now = `date_trunc('milliseconds', now())`;

/** Fetches what came since the last sync that ended well, unless a sync of the account is under way already. */
export async function beginCatchUps(tx: Tx, { where, values }: CaughtUp): Promise<RunRef[]> {
  const { rows } = await tx.query<RunRef>(
    `insert into sync_runs (org_id, run_id, user_id, provider, cause, state, from_at, to_at, reached_at, started_at, due_at)
     select org_id, gen_random_uuid(), user_id, provider, 'catch-up', 'running',
       greatest(connected_at - interval '30 days', coalesce(last_synced_at - $1 * interval '1 day', '-infinity')),
       ${now} + interval '15 minutes', ${now} + interval '15 minutes', now(),
       now() + least(${longestSeconds}, place * ${secondsApart}) * interval '1 second'
     from (
       select a.*, row_number() over (partition by provider order by last_synced_at desc nulls last, user_id) - 1 as place
       from provider_accounts a
       where state = 'connected' and ${isNotPaused('a')} and ${where}
         and not exists (select from sync_runs r where (r.org_id, r.user_id, r.provider)
           = (a.org_id, a.user_id, a.provider) and r.state = 'running')
     ) missed
     returning org_id, run_id`,
    [overlapDays, ...values],
  );
  return rows;
}

/** @param at null: no longer */
export async function setPaused(tx: Tx, { orgId, userId }: Owner, at: Date | null): Promise<void> {
  if (at === null)
    await tx.query('delete from deactivated_members where org_id = $1 and user_id = $2', [orgId, userId]);
  else
    await tx.query(
      `insert into deactivated_members (org_id, user_id, deactivated_at) values ($1, $2, $3)
       on conflict (org_id, user_id) do nothing`,
      [orgId, userId, at],
    );
}

export async function forgetPauses(tx: Tx, orgId: string): Promise<void> {
  await tx.query('delete from deactivated_members where org_id = $1', [orgId]);
}

/** Begins a sync of each account of a member; one that was under way when they were deactivated goes on. */
export async function resume(tx: Tx, { orgId, userId }: Owner): Promise<RunRef[]> {
  const begun = await beginCatchUps(tx, { where: 'a.org_id = $2 and a.user_id = $3', values: [orgId, userId] });
  const { rows } = await tx.query<RunRef>(
    `select org_id, run_id from sync_runs
     where org_id = $1 and user_id = $2 and state = 'running' and due_at <= now()`,
    [orgId, userId],
  );
  return [...new Map([...begun, ...rows].map((run) => [run.runId, run])).values()];
}
