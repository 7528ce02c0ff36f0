import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { centimilesOfAll } from './team-credits.system.query.ts';

/** A gauge of all miles that were ever earned. Each process reports the same sum, read from one row for each team. */
@Injectable()
export class MilesFigure {
  constructor(@Inject(Pool) pool: Pool, @Inject(Metrics) metrics: Pick<Metrics, 'gauge'>) {
    metrics.gauge({
      name: 'caravan_miles',
      help: 'Miles of all teams. Corrections and removals take some away.',
      collect: async (gauge) => {
        // While the database is away there is none; a reset would say 0.
        gauge.remove();
        const centimiles = await centimilesOfAll(pool).catch(() => undefined);
        if (centimiles !== undefined) gauge.set(milesOf(centimiles));
      },
    });
  }
}
