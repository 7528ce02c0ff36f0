import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore } from '@caravan/event-store/event-store';
import { withSystem } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { lockedBallot } from './ballots.store.ts';
import { ballotStream } from './ballot-stream.ts';

export const endBallots = defineJob({
  name: 'social.end-ballots',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 10,
});

type Due = { readonly orgId: string; readonly ballotId: string };

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
    const { rows } = await withSystem(this.pool, (tx) =>
      tx.query<Due>(
        `select b.org_id as "orgId", b.ballot_id as "ballotId" from ballots b
         where b.decided_at is null and b.ends_at <= $1
           and not exists (select from organisations o where o.org_id = b.org_id and o.is_closed)
         order by b.ends_at limit 1000`,
        [at],
      ),
    );
    await this.ballots.each(
      rows,
      ({ ballotId }) => ballotId,
      (due) => this.end(due, at),
    );
  }

  private async end({ orgId, ballotId }: Due, at: Date): Promise<void> {
    await this.store.transaction({ orgId, actorId: null, at, key: organisationKey(orgId) }, async (unit) => {
      const { names } = await lockedBallot(unit, ballotId);
      await unit.handle(ballotStream, ballotId, { type: 'EndBallot', isByAdmin: false }, names);
    });
    this.live.publish(orgId, ['ballots']);
  }
}
