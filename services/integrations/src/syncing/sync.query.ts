import type { ImportedWorkout, SyncRun } from '@caravan/contracts/http/fitness';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { cutPage, decodeCursor, newestFirstKey } from '@caravan/service-kit/page';
import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../importing/index.ts';
import type { AccountName, ImportFigures } from '../ports.ts';
import { Rows } from '../rows/index.ts';
import { backfillOf } from './run.ts';

type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | undefined };

/** What was fetched and what came of it, for its member. */
@Injectable()
export class SyncQuery {
  constructor(@Inject(Rows) private readonly rows: Rows) {}

  async runs({ orgId, userId }: Owner, { limit, cursor }: PageQuery): Promise<Page<SyncRun>> {
    const [before, id] = decodeCursor(newestFirstKey, cursor) ?? [];
    const found = await this.rows.of(orgId).syncRun.findMany({
      where: { orgId, userId, ...(before !== undefined && { OR: olderThan('startedAt', 'runId', before, id) }) },
      orderBy: [{ startedAt: 'desc' }, { runId: 'desc' }],
      take: limit + 1,
    });
    const { rows, nextCursor } = cutPage(found, limit, ({ startedAt, runId }) => [startedAt.toISOString(), runId]);
    return { nextCursor, rows: rows.map(shownRun) };
  }

  async workouts({ orgId, userId }: Owner, { limit, cursor }: PageQuery): Promise<Page<ImportedWorkout>> {
    const [before, id] = decodeCursor(newestFirstKey, cursor) ?? [];
    const found = await this.rows.of(orgId).importedWorkout.findMany({
      where: {
        ...{ orgId, userId, startedAt: { not: null } },
        ...(before !== undefined && { OR: olderThan('startedAt', 'importId', before, id) }),
      },
      orderBy: [{ startedAt: 'desc' }, { importId: 'desc' }],
      take: limit + 1,
    });
    const key = ({ startedAt, importId }: Found) => [instant(startedAt), importId];
    const { rows, nextCursor } = cutPage(found, limit, key);
    return { nextCursor, rows: await this.withSame(orgId, rows) };
  }

  /** Undefined: no such one of theirs. */
  async workout({ orgId, userId }: Owner, importId: string): Promise<ImportedWorkout | undefined> {
    const found = await this.rows.of(orgId).importedWorkout.findFirst({
      where: { orgId, userId, importId, startedAt: { not: null } },
    });
    return found ? (await this.withSame(orgId, [found]))[0] : undefined;
  }

  async figuresOf({ orgId, userId, provider }: AccountName): Promise<ImportFigures> {
    const [importCount, backfill] = await Promise.all([
      this.rows.of(orgId).importedWorkout.count({ where: { orgId, userId, provider, logId: { not: null } } }),
      this.rows.of(orgId).syncRun.findFirst({
        where: { orgId, userId, provider, cause: 'connect', state: 'running' },
        orderBy: [{ startedAt: 'desc' }],
        select: { fromAt: true, reachedAt: true },
      }),
    ]);
    return { importCount, backfill: backfill && backfillOf({ from: backfill.fromAt, reachedAt: backfill.reachedAt }) };
  }

  private async withSame(orgId: string, found: readonly Found[]): Promise<ImportedWorkout[]> {
    const ids = found.flatMap(({ sameAs }) => sameAs ?? []);
    const same = ids.length > 0 ? await this.namesOf(orgId, ids) : new Map<string, never>();
    return found.map((one) => shownWorkout(one, (one.sameAs === null ? undefined : same.get(one.sameAs)) ?? null));
  }

  private async namesOf(orgId: string, importIds: readonly string[]) {
    const found = await this.rows.of(orgId).importedWorkout.findMany({
      where: { orgId, importId: { in: [...importIds] } },
      select: { importId: true, provider: true, activityType: true, startedAt: true },
    });
    return new Map(
      found.map(({ importId, provider, activityType, startedAt }) => [
        importId,
        { provider, activityType: activityType ?? '', startedAt: instant(startedAt) },
      ]),
    );
  }
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
    ...{ id: run.runId, provider: run.provider as SyncRun['provider'], cause: run.cause as SyncRun['cause'] },
    ...{ state: run.state as SyncRun['state'], startedAt: run.startedAt.toISOString() },
    endedAt: run.endedAt?.toISOString() ?? null,
    ...{ imported: run.imported, updated: run.updated, removed: run.removed },
    skipped: skipped as SyncRun['skipped'],
    failure: run.failure as SyncRun['failure'],
  };
}
type SkippedCounts = Readonly<Record<string, number>>;

function shownWorkout(one: Found, same: ImportedWorkout['sameAs']): ImportedWorkout {
  return {
    ...{ id: one.importId, provider: one.provider as ImportedWorkout['provider'] },
    ...{ activityType: one.activityType ?? '', startedAt: instant(one.startedAt) },
    durationMinutes: one.durationMinutes ?? 0,
    state: one.state as ImportedWorkout['state'],
    why: one.state === 'duplicate' || one.state === 'removed' ? one.state : (one.why as ImportedWorkout['why']),
    ...{ logId: one.logId, sameAs: same },
  };
}
