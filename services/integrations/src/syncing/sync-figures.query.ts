import { withSystem } from '@caravan/event-store/postgres';
import { Metrics } from '@caravan/service-kit/metrics';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';

/** For operators: how many syncs run, and how late the latest is. */
@Injectable()
export class SyncFigures {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const labels = ['provider', 'cause'] as const;
    const running = metrics.gauge({
      name: 'caravan_syncs_running',
      help: 'Syncs that have not ended, by what caused them.',
      labels,
    });
    metrics.gauge({
      name: 'caravan_sync_late_seconds',
      help: 'For how long the sync that is due longest has been due.',
      labels,
      collect: async (late) => {
        for (const gauge of [running, late]) gauge.reset();
        for (const { count, lateSeconds, ...of } of await this.read()) {
          running.set(of, count);
          late.set(of, Math.max(0, lateSeconds));
        }
      },
    });
  }

  private async read() {
    const { rows } = await withSystem(this.pool, (tx) =>
      tx.query<{ provider: string; cause: string; count: number; lateSeconds: number }>(
        `select provider, cause, count(*) as count, extract(epoch from now() - min(due_at))::float8 as "lateSeconds"
         from sync_runs where state = 'running' group by provider, cause`,
      ),
    ).catch(() => ({ rows: [] }));
    return rows;
  }
}
