import { privacyChosen } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Who hides activity has no posts in the feeds of others from now on, earlier ones included (D18, ADR 0014). */
@Controller()
export class RespectPrivacyWhenPrivacyChosen {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.know-members', from: 'identity', contract: privacyChosen })
  async respect({ orgId, data }: Consumed<typeof privacyChosen>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      'update members set activity_visible = $3, profile_visible = $4 where org_id = $1 and user_id = $2',
      [orgId, data.userId, data.activityVisible, data.profileVisible],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
