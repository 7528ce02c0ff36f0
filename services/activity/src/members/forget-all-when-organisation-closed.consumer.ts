import { organisationClosed } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** Its members were erased before; what is left of it beside ids and numbers goes. */
@Controller()
export class ForgetAllWhenOrganisationClosed {
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: organisationClosed })
  async forget({ orgId }: Consumed<typeof organisationClosed>, { tx }: BatchContext): Promise<void> {
    await Promise.all(
      ['members', 'movement_texts', 'frequent_activities', 'bonus_windows', 'es.requests'].map((table) =>
        tx.query(`delete from ${table} where org_id = $1`, [orgId]),
      ),
    );
  }
}
