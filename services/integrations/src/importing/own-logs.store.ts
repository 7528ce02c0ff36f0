import type { movementCorrected, movementLogged } from '@caravan/contracts/events/activity.events';
import { importSourceSchema, sourceSchema } from '@caravan/contracts/events/fields';
import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Consumed } from '@caravan/messaging/consumer/consumer';
import type { Owner } from './imports.store.ts';

/** A log of the timer or by hand is stored; an imported one has its row among the imports. */
export const isOwnLog = (source: string): boolean => !importSourceSchema.safeParse(source).success;

// The activity name of an erased member is not stored again.
const savedSql = `
  insert into own_logs as l (org_id, log_id, user_id, source, activity_type, started_at, duration_minutes, logged_at,
    override, revision)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 where not exists (select from msg.erased where user_id = $3)
  on conflict (org_id, log_id) do update set activity_type = excluded.activity_type, started_at = excluded.started_at,
    duration_minutes = excluded.duration_minutes, override = excluded.override, revision = excluded.revision
  where l.revision < excluded.revision
  returning old.started_at as was_started_at`;

export type OwnLogFact = Consumed<typeof movementLogged> | Consumed<typeof movementCorrected>;

/** Answers when the log began before; undefined where the fact is no news. */
export async function saveOwnLog(
  tx: Tx,
  { orgId, data }: OwnLogFact,
): Promise<{ readonly wasStartedAt: Date | null } | undefined> {
  const { logId, userId, source, activityType, startedAt, durationMinutes, loggedAt, countsByWord = null } = data;
  const revision = 'revision' in data ? data.revision : 1;
  const { rows } = await tx.query<{ wasStartedAt: Date | null }>(savedSql, [
    orgId,
    logId,
    userId,
    source,
    activityType,
    startedAt,
    durationMinutes,
    loggedAt,
    countsByWord,
    revision,
  ]);
  return rows[0];
}

/** Answers when the removed log began; undefined for one that is not known. */
export async function removeOwnLog(tx: Tx, orgId: string, logId: string): Promise<Date | undefined> {
  const { rows } = await tx.query<{ startedAt: Date }>(
    'delete from own_logs where org_id = $1 and log_id = $2 returning started_at',
    [orgId, logId],
  );
  return rows[0]?.startedAt;
}

export async function forgetOwnLogsOfMember(tx: Tx, { orgId, userId }: Owner): Promise<void> {
  await tx.query('delete from own_logs where org_id = $1 and user_id = $2', [orgId, userId]);
}

export async function forgetOwnLogsOfOrganisation(tx: Tx, orgId: string): Promise<void> {
  await tx.query('delete from own_logs where org_id = $1', [orgId]);
}

type Row = Pick<Recording, 'id' | 'startedAt' | 'durationMinutes' | 'creditableAt' | 'override'> & {
  readonly source: string;
};

export async function ownLogsBetween(
  tx: Tx,
  { orgId, userId }: Owner,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Recording[]> {
  const { rows } = await tx.query<Row>(
    `select log_id as id, source, started_at, duration_minutes,
       logged_at as creditable_at, override
     from own_logs where org_id = $1 and user_id = $2 and started_at between $3 and $4`,
    [orgId, userId, from, to],
  );
  return rows.map(({ source, ...row }) => ({
    ...row,
    source: sourceSchema.parse(source),
    audience: 'organisation',
    isScored: true,
  }));
}
