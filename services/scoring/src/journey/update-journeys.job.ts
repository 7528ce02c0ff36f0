import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { JourneyService } from './journey.service.ts';
import { organisationsToLookAt } from './journey.system.query.ts';

const everySeconds = 600;

export const updateJourneys = defineJob({
  name: 'scoring.update-journeys',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds,
});

/** Begins journeys where none has begun, and notes arrivals that a killed process has left; so no reader has to. */
@Injectable()
export class UpdateJourneys {
  private readonly organisations: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(JourneyService) private readonly journeys: JourneyService,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.update-journeys');
  }

  @HandlesJob(updateJourneys)
  async update(): Promise<void> {
    await this.organisations.each(
      await organisationsToLookAt(this.pool),
      ({ orgId }) => orgId,
      async ({ orgId, isOnOne }) => {
        if (!isOnOne) await this.journeys.beginFirst(orgId, new Date());
        else if (await this.journeys.noteDue(orgId)) this.live.publish(orgId, ['journey']);
      },
    );
  }
}
