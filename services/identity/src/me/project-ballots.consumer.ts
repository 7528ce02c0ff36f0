import { ballotDecided, ballotOpened, ballotRescheduled, voteCast } from '@caravan/contracts/events/social.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { moveBallotEnd, removeOpenBallot, storeOpenBallot, storeVoter } from './ballots.store.ts';

export const projectBallots = 'identity.project-ballots';

/** Keeps open ballots and their voters, from which the dashboard prompts members to vote (2.63, D20). */
@Controller()
export class ProjectBallotsConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: projectBallots, from: 'social', contract: ballotOpened })
  async keepBallotWhenBallotOpened({ orgId, data }: Consumed<typeof ballotOpened>, batch: BatchContext): Promise<void> {
    const { ballotId, teamId, endsAt } = data;
    await storeOpenBallot(batch.tx, { orgId, ballotId, teamId, endsAt });
    this.tellTeam(orgId, data.teamId, batch);
  }

  @Consumes({ group: projectBallots, from: 'social', contract: ballotRescheduled })
  async moveEndWhenBallotRescheduled(
    { orgId, data }: Consumed<typeof ballotRescheduled>,
    batch: BatchContext,
  ): Promise<void> {
    await moveBallotEnd(batch.tx, { orgId, ballotId: data.ballotId }, data.endsAt);
    this.tellTeam(orgId, data.teamId, batch);
  }

  @Consumes({ group: projectBallots, from: 'social', contract: ballotDecided })
  async forgetBallotWhenBallotDecided(
    { orgId, data }: Consumed<typeof ballotDecided>,
    batch: BatchContext,
  ): Promise<void> {
    await removeOpenBallot(batch.tx, { orgId, ballotId: data.ballotId });
    this.tellTeam(orgId, data.teamId, batch);
  }

  @Consumes({ group: projectBallots, from: 'social', contract: voteCast })
  async keepVoterWhenVoteCast({ orgId, data }: Consumed<typeof voteCast>, batch: BatchContext): Promise<void> {
    await storeVoter(batch.tx, { orgId, ballotId: data.ballotId }, data.userId);
    batch.afterCommit(() => this.live.publish(orgId, ['me'], { to: data.userId }));
  }

  private tellTeam(orgId: string, teamId: string, batch: BatchContext): void {
    batch.afterCommit(() => this.live.publish(orgId, [], { teams: { teamIds: [teamId], kinds: ['me'] } }));
  }
}
