import { organisationClosed } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller, Inject } from '@nestjs/common';
import { RedisLeaderboard } from '../boards/redis-leaderboard.client.ts';

/** How a team is called whose organisation closed. */
const formerTeamName = 'A former team';

/**
 * What its people wrote goes, no week begins any more, and its boards are dropped. Its members were erased before; entries
 * and sums stay as ids and numbers, so that miles that are still on their way find their place.
 */
@Controller()
export class ForgetWordsWhenOrganisationClosed {
  constructor(@Inject(RedisLeaderboard) private readonly board: RedisLeaderboard) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: organisationClosed })
  async forget({ orgId }: Consumed<typeof organisationClosed>, batch: BatchContext): Promise<void> {
    const { tx } = batch;
    const [{ rows: weeks }] = await Promise.all([
      tx.query<{ weekStartsOn: string }>(
        'select distinct week_starts_on as "weekStartsOn" from member_weeks where org_id = $1',
        [orgId],
      ),
      tx.query('update organisations set is_closed = true where org_id = $1', [orgId]),
      tx.query('delete from challenge_templates where org_id = $1', [orgId]),
      tx.query(`update weekly_challenges set name = '', description = '' where org_id = $1`, [orgId]),
      tx.query(`update teams set name = $2, emoji = '', is_retired = true where org_id = $1`, [orgId, formerTeamName]),
      tx.query('delete from es.requests where org_id = $1', [orgId]),
    ]);
    batch.afterCommit(() => this.board.drop(orgId, [null, ...weeks.map(({ weekStartsOn }) => weekStartsOn)]));
  }
}
