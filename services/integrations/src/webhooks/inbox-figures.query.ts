import { Metrics } from '@caravan/service-kit/metrics';
import { Inject, Injectable } from '@nestjs/common';
import { Rows } from '../rows/index.ts';
import { figures } from './inbox.store.ts';

/** For operators: whether platforms deliver, and whether it is read. */
@Injectable()
export class InboxFigures {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const labels = ['provider'] as const;
    const waiting = metrics.gauge({
      name: 'caravan_webhook_inbox_notices',
      help: 'Notices of platforms that are still to be asked for.',
      labels,
    });
    const oldest = metrics.gauge({
      name: 'caravan_webhook_inbox_age_seconds',
      help: 'For how long the oldest of them waits.',
      labels,
    });
    metrics.gauge({
      name: 'caravan_webhook_newest_age_seconds',
      help: 'Since when a platform has told nothing.',
      labels,
      collect: async (newest) => {
        for (const gauge of [waiting, oldest, newest]) gauge.reset();
        for (const one of await figures(this.rows, new Date()).catch(() => [])) {
          waiting.set({ provider: one.provider }, one.waiting);
          oldest.set({ provider: one.provider }, one.oldestSeconds);
          newest.set({ provider: one.provider }, one.newestSeconds);
        }
      },
    });
  }
}
