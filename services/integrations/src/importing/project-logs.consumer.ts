import { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import { memberErased, organisationClosed } from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { type ReadModel, rowsOnly } from '@caravan/messaging/consumer/read-model';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { ImportsService } from './imports.service.ts';
import {
  forgetOwnLogsOfMember,
  forgetOwnLogsOfOrganisation,
  isOwnLog,
  removeOwnLog,
  saveOwnLog,
} from './own-logs.store.ts';

const group = 'integrations.project-logs';
const from = { group, from: 'activity', isAwaited: false, isPrompt: false } as const;
const takes = ({ source }: { readonly source: string }): boolean => isOwnLog(source);

/** The same workout counts once, whether a platform, the timer or its member recorded it (D25). */
@Controller()
export class ProjectLogsConsumer {
  constructor(
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Consumes({ ...from, contract: movementLogged, takes })
  async settleImportsWhenMovementLogged(event: Consumed<typeof movementLogged>, batch: BatchContext): Promise<void> {
    if (await this.imports.seeOwnLog(batch.tx, event)) this.tell(event, batch);
  }

  @Consumes({ ...from, contract: movementCorrected, takes })
  async settleImportsWhenMovementCorrected(
    event: Consumed<typeof movementCorrected>,
    batch: BatchContext,
  ): Promise<void> {
    if (await this.imports.seeOwnLog(batch.tx, event)) this.tell(event, batch);
  }

  /** An import that its member deleted by hand counts no more, and does not come back by itself (D8). */
  @Consumes({ ...from, contract: movementRemoved })
  async settleImportsWhenMovementRemoved(event: Consumed<typeof movementRemoved>, batch: BatchContext): Promise<void> {
    if (await this.imports.remove(batch.tx, event)) this.tell(event, batch);
  }

  @Consumes({ group, from: 'identity', contract: memberErased, isAwaited: false, isPrompt: false })
  async forgetOwnLogsWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetOwnLogsOfMember(tx, { orgId, userId: data.userId });
  }

  @Consumes({ group, from: 'identity', contract: organisationClosed, isAwaited: false, isPrompt: false })
  async forgetOwnLogsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetOwnLogsOfOrganisation(tx, orgId);
  }

  private tell({ orgId, data }: { orgId: string; data: { userId: string } }, batch: BatchContext): void {
    batch.afterCommit(() => this.live.publish(orgId, ['devices'], { to: data.userId }));
  }
}

/** Made again, no import is settled anew. */
export const ownLogs: ReadModel = {
  name: 'own-logs',
  tables: ['own_logs'],
  groups: [group],
  instead: [
    rowsOnly(group, movementLogged, (event, { tx }) => saveOwnLog(tx, event)),
    rowsOnly(group, movementCorrected, (event, { tx }) => saveOwnLog(tx, event)),
    rowsOnly(group, movementRemoved, ({ orgId, data }, { tx }) => removeOwnLog(tx, orgId, data.logId)),
  ],
};
