import { actAudited } from '@caravan/contracts/events/audit.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';
import { storeActs } from './audit.store.ts';

type Act = Consumed<typeof actAudited>;

/** Stores acts in the other services. An entry has the id of its event: delivered twice it changes nothing. */
@Controller()
export class StoreAuditLog {
  @Consumes({
    group: 'identity.store-audit-log',
    from: 'scoring',
    contract: actAudited,
    isAwaited: false,
    isPrompt: false,
  })
  keepActOfScoring(event: Act, batch: BatchContext): void {
    batch.enqueueWrite(storeActs, event);
  }

  @Consumes({
    group: 'identity.store-audit-log',
    from: 'social',
    contract: actAudited,
    isAwaited: false,
    isPrompt: false,
  })
  keepActOfSocial(event: Act, batch: BatchContext): void {
    batch.enqueueWrite(storeActs, event);
  }
}
