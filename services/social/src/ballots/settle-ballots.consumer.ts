import { organisationClosed, teamNamedByBallot } from '@caravan/contracts/events/identity.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';

export const settleBallots = 'social.settle-ballots';

type Named = Consumed<typeof teamNamedByBallot>;

/** What identity made of a ranking, and that nothing is called anything in an organisation that is closed. */
@Controller()
export class SettleBallotsConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: settleBallots, from: 'identity', contract: teamNamedByBallot })
  async keepResultWhenTeamNamedByBallot(named: Named, batch: BatchContext): Promise<void> {
    await keepResult(batch.tx, named);
    batch.afterCommit(() => this.live.publish(named.orgId, ['ballots']));
  }

  @Consumes({ group: settleBallots, from: 'identity', contract: organisationClosed })
  async forgetNamesWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query('delete from ballot_names where org_id = $1', [orgId]);
  }
}

async function keepResult(tx: Tx, { orgId, data }: Named): Promise<void> {
  await tx.query(
    `insert into ballot_results (org_id, ballot_id, place) values ($1, $2, $3)
     on conflict (org_id, ballot_id) do nothing`,
    [orgId, data.ballotId, data.place],
  );
}
