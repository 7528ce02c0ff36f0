import { privacyChosen } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

const setVisible = 'stats_visible = $3, activity_visible = $4, profile_visible = $5';

/** What colleagues see of a member on boards and dashboards from now on (D18, ADR 0014). */
@Controller()
export class RespectPrivacyWhenPrivacyChosen {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: privacyChosen })
  async respect({ orgId, data }: Consumed<typeof privacyChosen>, batch: BatchContext): Promise<void> {
    const { userId, statsVisible, activityVisible, profileVisible } = data;
    const values = [statsVisible, activityVisible, profileVisible];
    await changeMember(batch.tx, { orgId, userId }, setVisible, values);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
