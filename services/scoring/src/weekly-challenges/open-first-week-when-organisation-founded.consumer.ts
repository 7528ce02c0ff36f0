import { organisationFounded } from '@caravan/contracts/identity.events';
import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';
import { openWeek } from './weeks.client.ts';

/** A founded organisation has its running week's challenges at once (D40). */
@Controller()
export class OpenFirstWeekWhenOrganisationFounded {
  @Consumes({ group: 'scoring.open-first-week', from: 'identity', contract: organisationFounded })
  async open({ orgId, data }: Consumed<typeof organisationFounded>, { tx }: BatchContext): Promise<void> {
    const at = new Date();
    await openWeek(tx, { orgId, startsOn: weekStartOf(localDateOf(at, data.timeZone)), at });
  }
}
