import { tenantQuery, withSystem, withTenant } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { Pool } from '@caravan/service-kit/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { awardDueBadges } from '../award-due-badges.ts';
import { BadgeAwards } from '../badge-awards.client.ts';

const membersAtATime = 500;
const noId = '00000000-0000-0000-0000-000000000000';

type Due = { readonly orgId: string; readonly dueAt: Date };

/** Reviews the members of organisations whose badges are due, so that no reader has to award them. */
@Injectable()
export class AwardDueBadges {
  private readonly organisations: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(BadgeAwards) private readonly awards: BadgeAwards,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.award-due-badges');
  }

  @HandlesJob(awardDueBadges)
  async award(): Promise<void> {
    const { rows } = await withSystem(this.pool, (tx) =>
      tx.query<Due>(
        'select org_id as "orgId", badges_due_at as "dueAt" from organisations where badges_due_at is not null',
      ),
    );
    await this.organisations.each(
      rows,
      ({ orgId }) => orgId,
      (due) => this.awardOrganisation(due),
    );
  }

  private async awardOrganisation({ orgId, dueAt }: Due): Promise<void> {
    for (let after = noId; ;) {
      const { rows } = await tenantQuery<{ userId: string }>(
        this.pool,
        orgId,
        `select user_id as "userId" from member_totals where org_id = $1 and user_id > $2
         order by user_id limit ${membersAtATime}`,
        [orgId, after],
      );
      const userIds = rows.map(({ userId }) => userId);
      await this.awards.awardDue(orgId, userIds, new Date());
      const last = userIds.at(-1);
      if (last === undefined) break;
      after = last;
    }
    // Not where it became due again meanwhile.
    await withTenant(this.pool, orgId, (tx) =>
      tx.query(
        `update organisations set badges_due_at = null
         where org_id = $1 and date_trunc('milliseconds', badges_due_at) <= $2`,
        [orgId, dueAt],
      ),
    );
  }
}
