import { profileEdited } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** The days of later logs are those of the new time zone; earlier logs keep their date (D10). */
@Controller()
export class KeepTimeZoneWhenProfileEdited {
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: profileEdited })
  async keep({ orgId, data }: Consumed<typeof profileEdited>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update members set time_zone = $3 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.timeZone,
    ]);
  }
}
