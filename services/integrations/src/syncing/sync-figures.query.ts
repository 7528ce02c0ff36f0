import { withSystem } from '@caravan/event-store/postgres/connections';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';

type Figure = { readonly provider: string; readonly cause: string; readonly count: number; readonly late: number };

/** For operators: how many syncs run, and how late the latest is. */
@Injectable()
export class SyncFigures {
  private asked: Promise<readonly Figure[]> | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const gauge = (name: string, help: string, valueOf: (one: Figure) => number) =>
      metrics.gauge({
        name,
        help,
        labels: ['provider', 'cause'],
        collect: async (made) => {
          made.reset();
          for (const one of await this.read()) made.set({ provider: one.provider, cause: one.cause }, valueOf(one));
        },
      });
    gauge('caravan_syncs_running', 'Syncs that have not ended, by what caused them.', ({ count }) => count);
    gauge('caravan_sync_late_seconds', 'For how long the one that is due longest has been due.', ({ late }) => late);
  }

  /** The gauges of a scrape are filled at one moment, by one reading. */
  private read(): Promise<readonly Figure[]> {
    this.asked ??= withSystem(this.pool, (tx) =>
      tx.query<Figure>(
        `select provider, cause, count(*) as count,
           greatest(0, extract(epoch from now() - min(due_at)))::float8 as late
         from sync_runs where state = 'running' group by provider, cause`,
      ),
    )
      .then(({ rows }) => rows)
      .catch(() => [])
      .finally(() => (this.asked = undefined));
    return this.asked;
  }
}
