import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { organisationsWithBadgesDue, settleBadgesDue, storeBadgesDue } from '../directory/index.ts';
import type { DueOrganisation } from '../directory/index.ts';
import type { AfterOrganisationNews } from '../ports.ts';
import { BadgeAwards } from './badge-awards.service.ts';

const membersAtATime = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/** For badges that are earned by earlier entries, once a rule has changed. */
export const awardDueBadges = defineJob({
  name: 'scoring.award-due-badges',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

@Injectable()
export class AwardDueBadges implements AfterOrganisationNews {
  private readonly organisations: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(BadgeAwards) private readonly awards: BadgeAwards,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.award-due-badges');
  }

  async afterFreezesSwitched(
    { orgId, areOn, switchedAt }: { orgId: string; areOn: boolean; switchedAt: string },
    batch: BatchContext,
  ): Promise<void> {
    const dueAt = areOn ? switchedAt : null;
    await storeBadgesDue(batch.tx, orgId, dueAt);
    // At once; should this be lost, the job comes by every minute.
    if (areOn) batch.afterCommit(() => this.jobs.enqueueOrKeep(awardDueBadges, {}, { key: `${orgId} ${switchedAt}` }));
  }

  @HandlesJob(awardDueBadges)
  async award(): Promise<void> {
    await this.organisations.each(
      await organisationsWithBadgesDue(this.pool),
      ({ orgId }) => orgId,
      (due) => this.awardOrganisation(due),
    );
  }

  private async awardOrganisation({ orgId, dueAt }: DueOrganisation): Promise<void> {
    for (let after = noId; ;) {
      const { rows } = await tenantQuery<{ userId: string }>(
        this.pool,
        orgId,
        `select user_id from member_totals where org_id = $1 and user_id > $2
         order by user_id limit ${membersAtATime}`,
        [orgId, after],
      );
      const userIds = rows.map(({ userId }) => userId);
      await this.awards.awardDue(orgId, userIds, new Date());
      const last = userIds.at(-1);
      if (last === undefined) break;
      after = last;
    }
    await withTenant(this.pool, orgId, (tx) => settleBadgesDue(tx, orgId, dueAt));
  }
}
