import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import { organisationClosed } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** Its members were erased before; posts stay as ids and numbers, without a word. */
@Controller()
export class ForgetAnswersWhenOrganisationClosed {
  @Consumes({ group: 'social.know-members', from: 'identity', contract: organisationClosed })
  async forget({ orgId }: Consumed<typeof organisationClosed>, { tx }: BatchContext): Promise<void> {
    await tx.query('select lock_erasing($1)', [orgId]);
    await Promise.all([
      tx.query(
        `update posts set caption = null,
           activity_type = case when activity_type = any($3::text[]) then activity_type else $2 end
         where org_id = $1`,
        [orgId, forgottenActivityName, productActivities],
      ),
      tx.query('delete from es.requests where org_id = $1', [orgId]),
    ]);
  }
}
