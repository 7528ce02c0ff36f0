import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Look, PendingTeamCredit } from './pending-team-credits.store.ts';
import { aggregateSets, creditsSince } from './pending-team-credits.store.ts';
import { organisationsSince, type Seen } from './team-credits.system.query.ts';

/** Sets that are on boards and not in sums; `seen` is null while there may be others. */
type Raised = {
  readonly seen: string | null;
  readonly table: number;
  readonly setIds: readonly string[];
  readonly isMissed: boolean;
};

/** Credits are read, raised on the boards, then moved into the sums. A look costs what has come since the last. */
export class PendingTeamCredits {
  private readonly pool: Pool;
  private readonly raised = new Map<string, Raised>();
  private swept: Seen | undefined;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  get waiting(): string[] {
    return [...this.raised.keys()];
  }

  look(orgId: string): Promise<Look> {
    const { seen = null, table = 0 } = this.raised.get(orgId) ?? {};
    return creditsSince(this.pool, orgId, seen === null ? {} : { seen, table });
  }

  noteRaised(orgId: string, { credits, isCut }: Look, isMissed: boolean): void {
    const [first] = credits;
    if (!first) return;
    const known = this.raised.get(orgId);
    const before = known?.table === first.table ? known : undefined;
    this.raised.set(orgId, {
      seen: isCut ? (before?.seen ?? null) : first.seen,
      table: first.table,
      setIds: [...(before?.setIds ?? []), ...setsOf(credits)],
      // Boards that missed sets of the table before are stale, too.
      isMissed: isMissed || (known?.isMissed ?? false),
    });
  }

  async aggregate(orgId: string): Promise<void> {
    const raised = this.raised.get(orgId);
    if (!raised) return;
    const { seen, table, setIds, isMissed } = raised;
    const until = seen === null ? null : { seen, table };
    await withTenant(this.pool, orgId, async (tx) => aggregateSets(tx, { orgId, setIds, isMissed, until }));
    this.forget(orgId, raised);
  }

  async sweep(): Promise<string[]> {
    const found = await organisationsSince(this.pool, this.swept);
    if (!found) return [];
    this.swept = { seen: found.seen, table: found.table };
    return found.orgIds;
  }

  private forget(orgId: string, { setIds: aggregated }: Raised): void {
    const raised = this.raised.get(orgId);
    if (!raised) return;
    const gone = new Set(aggregated);
    const setIds = raised.setIds.filter((setId) => !gone.has(setId));
    if (setIds.length === 0) this.raised.delete(orgId);
    else this.raised.set(orgId, { ...raised, setIds });
  }
}

const setsOf = (credits: readonly PendingTeamCredit[]): string[] => [...new Set(credits.map(({ setId }) => setId))];
