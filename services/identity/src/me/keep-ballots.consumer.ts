import { ballotDecided, ballotOpened, ballotRescheduled, voteCast } from '@caravan/contracts/events/social.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';

export const keepBallots = 'identity.keep-ballots';

/** Which teams vote, and who has: what the prompt on the dashboard is asked by (2.63, D20). */
@Controller()
export class KeepBallotsConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: keepBallots, from: 'social', contract: ballotOpened })
  async keepBallotWhenBallotOpened({ orgId, data }: Consumed<typeof ballotOpened>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `insert into open_ballots (org_id, ballot_id, team_id, ends_at) values ($1, $2, $3, $4) on conflict do nothing`,
      [orgId, data.ballotId, data.teamId, data.endsAt],
    );
    this.tellTeam(orgId, data.teamId, batch);
  }

  @Consumes({ group: keepBallots, from: 'social', contract: ballotRescheduled })
  async moveEndWhenBallotRescheduled(
    { orgId, data }: Consumed<typeof ballotRescheduled>,
    batch: BatchContext,
  ): Promise<void> {
    await batch.tx.query('update open_ballots set ends_at = $3 where org_id = $1 and ballot_id = $2', [
      orgId,
      data.ballotId,
      data.endsAt,
    ]);
    this.tellTeam(orgId, data.teamId, batch);
  }

  @Consumes({ group: keepBallots, from: 'social', contract: ballotDecided })
  async forgetBallotWhenBallotDecided(
    { orgId, data }: Consumed<typeof ballotDecided>,
    batch: BatchContext,
  ): Promise<void> {
    await batch.tx.query('delete from open_ballots where org_id = $1 and ballot_id = $2', [orgId, data.ballotId]);
    this.tellTeam(orgId, data.teamId, batch);
  }

  /** Nothing of who was erased meanwhile. */
  @Consumes({ group: keepBallots, from: 'social', contract: voteCast })
  async keepVoterWhenVoteCast({ orgId, data }: Consumed<typeof voteCast>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `insert into ballot_voters (org_id, ballot_id, user_id)
       select org_id, $2, user_id from memberships where org_id = $1 and user_id = $3 on conflict do nothing`,
      [orgId, data.ballotId, data.userId],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['me'], { to: data.userId }));
  }

  private tellTeam(orgId: string, teamId: string, batch: BatchContext): void {
    batch.afterCommit(() => this.live.publish(orgId, [], { teams: { teamIds: [teamId], kinds: ['me'] } }));
  }
}
