import type { ImportedWorkout, SyncRun } from '@caravan/contracts/http/fitness';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Owner } from '../importing/index.ts';
import type { AccountName, ImportFigures } from '../ports.ts';
import type { Rows } from '../rows/index.ts';
import { backfillOf } from './run.ts';

type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: Cursor | undefined };

type Tables = Pick<Rows, 'of'>;
type Sources = { readonly rows: Tables; readonly cursors: Cursors };

export async function pageOfRuns(
  { rows: tables, cursors }: Sources,
  owner: Owner,
  { limit, cursor }: PageQuery,
): Promise<Page<SyncRun>> {
  const { orgId, userId } = owner;
  const pages = cursors.of({ operation: 'listSyncRuns', reader: owner }, newestFirstKey);
  const [before, id] = pages.after(cursor) ?? [];
  const found = await tables.of(orgId).syncRun.findMany({
    where: { orgId, userId, ...(before !== undefined && { OR: olderThan('startedAt', 'runId', before, id) }) },
    orderBy: [{ startedAt: 'desc' }, { runId: 'desc' }],
    take: limit + 1,
  });
  const { rows, nextCursor } = pages.cut(found, limit, ({ startedAt, runId }) => [startedAt.toISOString(), runId]);
  return { nextCursor, rows: rows.map(shownRun) };
}

export async function pageOfWorkouts(
  { rows: tables, cursors }: Sources,
  owner: Owner,
  { limit, cursor }: PageQuery,
): Promise<Page<ImportedWorkout>> {
  const { orgId, userId } = owner;
  const pages = cursors.of({ operation: 'listImportedWorkouts', reader: owner }, newestFirstKey);
  const [before, id] = pages.after(cursor) ?? [];
  const found = await tables.of(orgId).importedWorkout.findMany({
    where: {
      orgId,
      userId,
      startedAt: { not: null },
      ...(before !== undefined && { OR: olderThan('startedAt', 'importId', before, id) }),
    },
    orderBy: [{ startedAt: 'desc' }, { importId: 'desc' }],
    take: limit + 1,
  });
  const { rows, nextCursor } = pages.cut(found, limit, ({ startedAt, importId }) => [instant(startedAt), importId]);
  return { nextCursor, rows: await withSame(tables, orgId, rows) };
}

/** Undefined: no such one of theirs. */
export async function workoutOf(
  tables: Tables,
  { orgId, userId }: Owner,
  importId: string,
): Promise<ImportedWorkout | undefined> {
  const found = await tables.of(orgId).importedWorkout.findFirst({
    where: { orgId, userId, importId, startedAt: { not: null } },
  });
  return found ? (await withSame(tables, orgId, [found]))[0] : undefined;
}

export async function importFiguresOf(
  tables: Tables,
  { orgId, userId, provider }: AccountName,
): Promise<ImportFigures> {
  const [importCount, backfill] = await Promise.all([
    tables.of(orgId).importedWorkout.count({ where: { orgId, userId, provider, logId: { not: null } } }),
    tables.of(orgId).syncRun.findFirst({
      where: { orgId, userId, provider, cause: 'connect', state: 'running' },
      orderBy: [{ startedAt: 'desc' }],
      select: { fromAt: true, reachedAt: true },
    }),
  ]);
  return { importCount, backfill: backfill && backfillOf({ from: backfill.fromAt, reachedAt: backfill.reachedAt }) };
}

async function withSame(tables: Tables, orgId: string, found: readonly Found[]): Promise<ImportedWorkout[]> {
  const ids = found.flatMap(({ sameAs }) => sameAs ?? []);
  const same =
    ids.length > 0 ? await namesOf(tables, orgId, ids) : new Map<string, NonNullable<ImportedWorkout['sameAs']>>();
  return found.map((one) => shownWorkout(one, (one.sameAs === null ? undefined : same.get(one.sameAs)) ?? null));
}

/** The recording that counts in the place of a duplicate: another import, or a log of the timer or by hand (D25). */
async function namesOf(tables: Tables, orgId: string, ids: readonly string[]) {
  const [imports, logs] = await Promise.all([
    tables.of(orgId).importedWorkout.findMany({
      where: { orgId, importId: { in: [...ids] } },
      select: { importId: true, provider: true, activityType: true, startedAt: true },
    }),
    tables.of(orgId).ownLog.findMany({
      where: { orgId, logId: { in: [...ids] } },
      select: { logId: true, source: true, activityType: true, startedAt: true },
    }),
  ]);
  const names = new Map<string, NonNullable<ImportedWorkout['sameAs']>>();
  for (const { importId, provider, activityType, startedAt } of imports)
    names.set(importId, { provider, activityType: activityType ?? '', startedAt: instant(startedAt) });
  for (const { logId, source, activityType, startedAt } of logs)
    names.set(logId, { provider: source, activityType, startedAt: instant(startedAt) });
  return names;
}

type Found = Awaited<ReturnType<ReturnType<Rows['of']>['importedWorkout']['findMany']>>[number];
type FoundRun = Awaited<ReturnType<ReturnType<Rows['of']>['syncRun']['findMany']>>[number];

const olderThan = (at: string, id: string, before: string, beforeId: string | undefined) => [
  { [at]: { lt: new Date(before) } },
  { [at]: new Date(before), [id]: { lt: beforeId ?? '' } },
];

const instant = (at: Date | null): string => at?.toISOString() ?? '';

function shownRun(run: FoundRun): SyncRun {
  const skipped = Object.entries(run.skipped as SkippedCounts).map(([why, count]) => ({ why, count }));
  return {
    id: run.runId,
    provider: run.provider as SyncRun['provider'],
    cause: run.cause as SyncRun['cause'],
    state: run.state as SyncRun['state'],
    startedAt: run.startedAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    imported: run.imported,
    updated: run.updated,
    removed: run.removed,
    skipped: skipped as SyncRun['skipped'],
    failure: run.failure as SyncRun['failure'],
  };
}
type SkippedCounts = Readonly<Record<string, number>>;

function shownWorkout(one: Found, same: ImportedWorkout['sameAs']): ImportedWorkout {
  return {
    id: one.importId,
    provider: one.provider as ImportedWorkout['provider'],
    activityType: one.activityType ?? '',
    startedAt: instant(one.startedAt),
    durationMinutes: one.durationMinutes ?? 0,
    state: one.state as ImportedWorkout['state'],
    why: one.state === 'duplicate' || one.state === 'removed' ? one.state : (one.why as ImportedWorkout['why']),
    logId: one.logId,
    sameAs: same,
  };
}
