import { organisationWeekOf } from '@caravan/contracts/domain/time/organisation-zone';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { AfterOrganisationNews } from '../ports.ts';
import { deleteRanks, storeRanks } from './member-ranks.store.ts';
import { organisationsToRank } from './ranked-organisations.system.query.ts';

const everySeconds = 600;

export const rankWeeks = defineJob({
  name: 'scoring.rank-weeks',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds,
});

/** Writes who stood where at the end of the last weeks: after each Monday, and after miles of those weeks have changed. */
@Injectable()
export class RankWeeks implements AfterOrganisationNews {
  private readonly organisations: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.rank-weeks');
  }

  @HandlesJob(rankWeeks)
  async rank(): Promise<void> {
    await this.rankAll(new Date());
  }

  async rankAll(at: Date): Promise<void> {
    await this.organisations.each(
      await organisationsToRank(this.pool),
      ({ orgId }) => orgId,
      ({ orgId, zones }) => withTenant(this.pool, orgId, (tx) => storeRanks(tx, orgId, organisationWeekOf(zones, at))),
    );
  }

  async afterErased({ orgId, userId }: { orgId: string; userId: string }, { tx }: BatchContext): Promise<void> {
    await deleteRanks(tx, orgId, userId);
  }

  async afterClosed(orgId: string, { tx }: BatchContext): Promise<void> {
    await deleteRanks(tx, orgId, null);
  }
}
