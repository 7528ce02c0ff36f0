import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { type SyncFigure, syncFigures } from './runs.system.store.ts';

/** For operators: how many syncs run, and how late the latest is. */
@Injectable()
export class SyncFigures {
  private asked: Promise<readonly SyncFigure[]> | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const gauge = (name: string, help: string, valueOf: (one: SyncFigure) => number) =>
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
  private read(): Promise<readonly SyncFigure[]> {
    this.asked ??= syncFigures(this.pool)
      .catch(() => [])
      .finally(() => (this.asked = undefined));
    return this.asked;
  }
}
