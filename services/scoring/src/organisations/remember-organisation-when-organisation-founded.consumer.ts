import { organisationFounded } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller, Inject } from '@nestjs/common';
import { FirstChallenges } from '../first-challenges.service.ts';

/** Keeps where an organisation's weeks begin, and opens the first of them (D40). */
@Controller()
export class RememberOrganisationWhenOrganisationFounded {
  constructor(@Inject(FirstChallenges) private readonly firstChallenges: FirstChallenges) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: organisationFounded })
  async remember({ orgId, data }: Consumed<typeof organisationFounded>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `insert into organisations (org_id, time_zone) values ($1, $2)
       on conflict (org_id) do update set time_zone = excluded.time_zone`,
      [orgId, data.timeZone],
    );
    await this.firstChallenges.openFor(batch, orgId, data.timeZone);
  }
}
