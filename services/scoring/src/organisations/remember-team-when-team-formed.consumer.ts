import { teamFormed } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Puts a team on the board, without miles at first (D40). */
@Controller()
export class RememberTeamWhenTeamFormed {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: teamFormed })
  async remember({ orgId, data, position }: Consumed<typeof teamFormed>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `insert into teams (org_id, team_id, name, emoji, formed_position) values ($1, $2, $3, $4, $5)
       on conflict (org_id, team_id) do nothing`,
      [orgId, data.teamId, data.name, data.emoji, position],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
