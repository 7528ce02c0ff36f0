import { organisationKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { lockedBallot } from './ballots.store.ts';
import { dueBallots, type DueBallot } from './ballots.system.query.ts';
import { ballotStream } from './ballot-stream.ts';

export const endBallots = defineJob({
  name: 'social.end-ballots',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 10,
});

/** Ends ballots whose time is over, also those of a time when nobody looked. */
@Injectable()
export class EndBallots {
  private readonly ballots: Sweep;

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.ballots = sweeps.of('social.end-ballots');
  }

  @HandlesJob(endBallots)
  endDue(): Promise<void> {
    return this.endDueAt(new Date());
  }

  async endDueAt(at: Date): Promise<void> {
    await this.ballots.each(
      await dueBallots(this.pool, at),
      ({ ballotId }) => ballotId,
      (due) => this.end(due, at),
    );
  }

  private async end({ orgId, ballotId }: DueBallot, at: Date): Promise<void> {
    await this.store.transaction({ orgId, actorId: null, at, key: organisationKey(orgId) }, async (unit) => {
      const { names } = await lockedBallot(unit, ballotId);
      await unit.handle(ballotStream, ballotId, { type: 'EndBallot', isByAdmin: false }, names);
    });
    this.live.publish(orgId, ['ballots']);
  }
}
