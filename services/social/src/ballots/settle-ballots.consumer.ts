import { organisationClosed, teamNamedByBallot } from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { forgetBallotNames, storeBallotResult } from './ballots.store.ts';

export const settleBallots = 'social.settle-ballots';

type Named = Consumed<typeof teamNamedByBallot>;

/** Stores how identity named a team, and forgets the names of a closed organisation. */
@Controller()
export class SettleBallotsConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: settleBallots, from: 'identity', contract: teamNamedByBallot })
  async keepResultWhenTeamNamedByBallot(named: Named, batch: BatchContext): Promise<void> {
    await storeBallotResult(batch.tx, named.orgId, named.data);
    batch.afterCommit(() => this.live.publish(named.orgId, ['ballots']));
  }

  @Consumes({ group: settleBallots, from: 'identity', contract: organisationClosed })
  async forgetNamesWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetBallotNames(tx, orgId);
  }
}
