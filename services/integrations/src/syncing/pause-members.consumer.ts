import {
  memberDeactivated,
  memberErased,
  memberReactivated,
  organisationClosed,
} from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { type ReadModel, rowsOnly } from '@caravan/messaging/consumer/read-model';
import { Controller, Inject } from '@nestjs/common';
import { forgetPauses, resume, setPaused } from './catch-ups.store.ts';
import { Syncs } from './syncs.job.ts';

const group = 'integrations.pause-members';

/**
 * Accounts of deactivated members rest: nothing is fetched for them, and what platforms tell of them waits. A platform that
 * is no longer permitted is the exception, since what came from it has to go (S23).
 */
@Controller()
export class PauseMembersConsumer {
  constructor(@Inject(Syncs) private readonly syncs: Syncs) {}

  @Consumes({ group, from: 'identity', contract: memberDeactivated, isAwaited: false })
  async pauseAccountsWhenMemberDeactivated(
    event: Consumed<typeof memberDeactivated>,
    batch: BatchContext,
  ): Promise<void> {
    await pauseMember(event, batch);
  }

  /** Fetches the workouts that were missed meanwhile. */
  @Consumes({ group, from: 'identity', contract: memberReactivated, isAwaited: false })
  async resumeAccountsWhenMemberReactivated(
    event: Consumed<typeof memberReactivated>,
    batch: BatchContext,
  ): Promise<void> {
    await resumeMember(event, batch);
    const runs = await resume(batch.tx, { orgId: event.orgId, userId: event.data.userId });
    // Without Redis the sweep finds them.
    batch.afterCommit(() => runs.forEach((run) => void this.syncs.enqueue(run).catch(() => undefined)));
  }

  @Consumes({ group, from: 'identity', contract: memberErased, isAwaited: false })
  async forgetPauseWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    { tx }: BatchContext,
  ): Promise<void> {
    await setPaused(tx, { orgId, userId: data.userId }, null);
  }

  @Consumes({ group, from: 'identity', contract: organisationClosed, isAwaited: false })
  async forgetPausesWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetPauses(tx, orgId);
  }
}

type Rows = Pick<BatchContext, 'tx'>;

const pauseMember = ({ orgId, data }: Consumed<typeof memberDeactivated>, { tx }: Rows) =>
  setPaused(tx, { orgId, userId: data.userId }, new Date(data.deactivatedAt));

const resumeMember = ({ orgId, data }: Consumed<typeof memberReactivated>, { tx }: Rows) =>
  setPaused(tx, { orgId, userId: data.userId }, null);

export const pausedMembers: ReadModel = {
  name: 'directory',
  tables: ['deactivated_members'],
  groups: [group],
  // Made again, nobody is synced anew.
  instead: [rowsOnly(group, memberReactivated, resumeMember)],
};
