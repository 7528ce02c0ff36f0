import type { SkipReason } from '@caravan/contracts/http/fitness';
import type { Tx } from '@caravan/event-store/core/event-store';
import {
  assignmentList,
  columnDefinitions,
  columnList,
  recordOf,
  type RecordOf,
} from '@caravan/event-store/postgres/table';
import type { Import } from './import.ts';
import type { Source } from './workout.ts';

export type Owner = { readonly orgId: string; readonly userId: string };

/** Columns that a later answer of the platform or a choice of the member updates. */
const changing = {
  seenAt: 'timestamptz',
  changedAt: 'timestamptz null',
  activityType: 'text null',
  startedAt: 'timestamptz null',
  durationMinutes: 'integer null',
  meters: 'integer null',
  heartRate: 'integer null',
  calories: 'integer null',
  why: 'text null',
  audience: 'text',
  isScored: 'boolean',
  override: 'boolean null',
  state: 'text',
  sameAs: 'uuid null',
  logId: 'uuid null',
  revision: 'integer',
  publishedContent: 'text null',
  formerLogIds: 'uuid[]',
  removedAt: 'timestamptz null',
  creditableAt: 'timestamptz',
} as const;

/** Columns that record a log that its member deleted by hand, so that it is never imported again. */
const removal = {
  removedStartedAt: 'timestamptz null',
  removedMinutes: 'integer null',
  removedAlone: 'boolean null',
} as const;

const known = { importId: 'uuid', provider: 'text', externalId: 'text', ...changing } as const;
const stored = { ...known, ...removal };

type Row = Source &
  Pick<
    Import,
    | 'importId'
    | 'externalId'
    | 'seenAt'
    | 'changedAt'
    | 'override'
    | 'state'
    | 'sameAs'
    | 'formerLogIds'
    | 'removedAt'
    | 'creditableAt'
  > & {
    readonly userId: string;
    readonly activityType: string | null;
    readonly startedAt: Date | null;
    readonly durationMinutes: number | null;
    readonly meters: number | null;
    readonly heartRate: number | null;
    readonly calories: number | null;
    readonly why: SkipReason | null;
    readonly logId: string | null;
    readonly revision: number;
    readonly publishedContent: string | null;
  };

const selectSql = `
  select user_id, ${columnList(known)}
  from imported_workouts where org_id = $1`;

/** Whoever writes imports of a member does it after the others: what counts depends on all of them. */
export async function lineUp(tx: Tx, { orgId, userId }: Owner): Promise<void> {
  await tx.query('select es.lock_stream($1, $2)', [orgId, `imports-${userId}`]);
}

/** Whether what comes from it earns now; undefined: it was disconnected, or is another connection. */
export async function consentOf(
  tx: Tx,
  { orgId, userId, provider, connectedAt }: Owner & Pick<Source, 'provider'> & { readonly connectedAt: Date },
): Promise<boolean | undefined> {
  const { rows } = await tx.query<{ isScored: boolean }>(
    `select is_scored from provider_accounts
     where org_id = $1 and user_id = $2 and provider = $3 and state = 'connected'
       and date_trunc('milliseconds', connected_at) = $4`,
    [orgId, userId, provider, connectedAt],
  );
  return rows[0]?.isScored;
}

/** Which of some ids are known, and those that somebody else of the organisation has. */
export async function knownByIds(
  tx: Tx,
  { orgId, userId, provider }: Owner & Pick<Source, 'provider'>,
  externalIds: readonly string[],
): Promise<{ own: Import[]; foreign: Set<string> }> {
  const { rows } = await tx.query<Row>(`${selectSql} and provider = $2 and external_id = any($3)`, [
    orgId,
    provider,
    externalIds,
  ]);
  return {
    own: rows.filter((row) => row.userId === userId).map(importOf),
    foreign: new Set(rows.filter((row) => row.userId !== userId).map(({ externalId }) => externalId)),
  };
}

export type Stretch = { readonly from: Date; readonly to: Date };

export async function importsBetween(tx: Tx, { orgId, userId }: Owner, { from, to }: Stretch): Promise<Import[]> {
  const { rows } = await tx.query<Row>(`${selectSql} and user_id = $2 and started_at between $3 and $4`, [
    orgId,
    userId,
    from,
    to,
  ]);
  return rows.map(importOf);
}

export async function allImports(tx: Tx, { orgId, userId }: Owner): Promise<Import[]> {
  const { rows } = await tx.query<Row>(`${selectSql} and user_id = $2`, [orgId, userId]);
  return rows.map(importOf);
}

function importOf(row: Row): Import {
  const { activityType, startedAt, durationMinutes, meters, heartRate, calories, why } = row;
  const { importId, provider, externalId, seenAt, changedAt, audience, isScored, override, state, sameAs } = row;
  const isHere = activityType !== null && startedAt !== null && durationMinutes !== null;
  return {
    importId,
    provider,
    externalId,
    seenAt,
    changedAt,
    audience,
    isScored,
    override,
    state,
    sameAs,
    formerLogIds: row.formerLogIds,
    removedAt: row.removedAt,
    creditableAt: row.creditableAt,
    judged: isHere ? { activityType, startedAt, durationMinutes, meters, heartRate, calories, why } : null,
    told: { logId: row.logId, revision: row.revision, content: row.publishedContent },
  };
}

/** Whose log it is or was. */
export async function isOfImport(tx: Tx, { orgId, userId }: Owner, logId: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select from imported_workouts where org_id = $1 and user_id = $2 and (log_id = $3 or $3 = any(former_log_ids))
     limit 1`,
    [orgId, userId, logId],
  );
  return rows.length > 0;
}

const savedSql = `
  insert into imported_workouts (org_id, user_id, ${columnList(stored)})
  select $1, $2, i.* from json_to_recordset($3) as i (${columnDefinitions(stored)})
  on conflict (org_id, import_id) do update set ${assignmentList({ ...changing, ...removal }, 'excluded')},
    raw = case when excluded.started_at is not null then imported_workouts.raw end,
    raw_at = case when excluded.started_at is not null then imported_workouts.raw_at end`;

export async function save(tx: Tx, { orgId, userId }: Owner, imports: readonly Import[]): Promise<void> {
  if (imports.length === 0) return;
  await tx.query(savedSql, [orgId, userId, JSON.stringify(imports.map((one) => recordOf(stored, storedOf(one))))]);
}

const storedOf = ({ judged, told, ...one }: Import): RecordOf<typeof stored> => ({
  ...one,
  activityType: judged?.activityType,
  startedAt: judged?.startedAt,
  durationMinutes: judged?.durationMinutes,
  meters: judged?.meters,
  heartRate: judged?.heartRate,
  calories: judged?.calories,
  why: judged?.why,
  logId: told.logId,
  revision: told.revision,
  publishedContent: told.content,
  // A removal is of its own import alone.
  removedStartedAt: one.removedAt,
  removedMinutes: one.removedAt && 0,
  removedAlone: one.removedAt && true,
});

/** What the platform answered, beside what was made of it. */
export async function keepRaw(
  tx: Tx,
  { orgId, provider }: Pick<Owner, 'orgId'> & Pick<Source, 'provider'>,
  answers: readonly { readonly externalId: string; readonly raw: unknown; readonly seenAt: Date }[],
): Promise<void> {
  await tx.query(
    `update imported_workouts w set raw = r.raw, raw_at = r.seen_at
     from json_to_recordset($3) as r (external_id text, raw jsonb, seen_at timestamptz)
     where w.org_id = $1 and w.provider = $2 and w.external_id = r.external_id and w.seen_at = r.seen_at
       and w.started_at is not null`,
    [
      orgId,
      provider,
      JSON.stringify(answers.map(({ externalId, raw, seenAt }) => ({ external_id: externalId, raw, seen_at: seenAt }))),
    ],
  );
}

/** Which known ones a stretch of the platform's list should have had and has not, since it was begun to be read. */
export async function importsMissingFrom(
  tx: Tx,
  { orgId, userId, provider }: Owner & Pick<Source, 'provider'>,
  stretch: Stretch & { readonly since: Date },
): Promise<string[]> {
  const { rows } = await tx.query<{ externalId: string }>(
    `select external_id from imported_workouts
     where org_id = $1 and user_id = $2 and provider = $3 and started_at >= $4 and started_at < $5 and seen_at < $6
     order by started_at desc limit 100`,
    [orgId, userId, provider, stretch.from, stretch.to, stretch.since],
  );
  return rows.map(({ externalId }) => externalId);
}

export async function forgetImports(tx: Tx, { orgId, userId, provider }: Owner & Pick<Source, 'provider'>) {
  await tx.query('delete from imported_workouts where org_id = $1 and user_id = $2 and provider = $3', [
    orgId,
    userId,
    provider,
  ]);
}

const tablesOfImports = ['imported_workouts', 'sync_runs', 'webhook_inbox'];

export async function forgetImportsOfMember(tx: Tx, { orgId, userId }: Owner): Promise<void> {
  for (const table of tablesOfImports)
    await tx.query(`delete from ${table} where org_id = $1 and user_id = $2`, [orgId, userId]);
}

export async function forgetImportsOfOrganisation(tx: Tx, orgId: string): Promise<void> {
  for (const table of tablesOfImports) await tx.query(`delete from ${table} where org_id = $1`, [orgId]);
}

/** By the clock that all processes share. */
export async function clock(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>(`select date_trunc('milliseconds', clock_timestamp()) as now`);
  if (!rows[0]) throw new Error('The database says what time it is');
  return rows[0].now;
}
