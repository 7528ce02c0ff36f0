import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Inject, Injectable } from '@nestjs/common';
import { Rows } from '../rows/index.ts';
import { inboxFigures } from './inbox-figures.system.query.ts';

type Figures = Awaited<ReturnType<typeof inboxFigures>>;

/** For operators: whether platforms deliver, and whether it is read. */
@Injectable()
export class InboxFigures {
  private asked: Promise<Figures> | undefined;

  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const gauge = (name: string, help: string, valueOf: (one: Figures[number]) => number) =>
      metrics.gauge({
        name,
        help,
        labels: ['provider'],
        collect: async (made) => {
          made.reset();
          for (const one of await this.read()) made.set({ provider: one.provider }, valueOf(one));
        },
      });
    gauge('caravan_webhook_inbox_notices', 'Notices that are still to be asked for.', ({ waiting }) => waiting);
    gauge('caravan_webhook_inbox_age_seconds', 'For how long the oldest waits.', ({ oldestSeconds }) => oldestSeconds);
    gauge('caravan_webhook_newest_age_seconds', 'Since when nothing was told.', ({ newestSeconds }) => newestSeconds);
  }

  /** The gauges of a scrape are filled at one moment, by one reading. */
  private read(): Promise<Figures> {
    this.asked ??= inboxFigures(this.rows, new Date())
      .catch(() => [])
      .finally(() => (this.asked = undefined));
    return this.asked;
  }
}
