import { workoutImported, workoutRetracted } from '@caravan/contracts/events/integrations.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { ImportsService } from './imports.service.ts';

const from = { group: 'activity.import-movements', from: 'integrations', locksKeys: true } as const;

@Controller()
export class ImportMovementsConsumer {
  constructor(
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** By the rules of imports, not those of a log by hand: a device measured it (D6). */
  @Consumes({ ...from, contract: workoutImported })
  importMovementWhenWorkoutImported(event: Consumed<typeof workoutImported>, batch: BatchContext): void {
    const { logId, revision } = event.data;
    batch.enqueueWrite(this.imports.enter, { is: 'logged', logId, revision, event });
    this.tell(event, batch);
  }

  /** Whatever it earned goes with it, however old it is (D24, D25). */
  @Consumes({ ...from, contract: workoutRetracted })
  removeMovementWhenWorkoutRetracted(event: Consumed<typeof workoutRetracted>, batch: BatchContext): void {
    batch.enqueueWrite(this.imports.enter, { is: 'removed', logId: event.data.logId, event });
    this.tell(event, batch);
  }

  private tell(
    { orgId, data: { userId } }: Consumed<typeof workoutImported | typeof workoutRetracted>,
    batch: BatchContext,
  ) {
    batch.afterCommit(() => this.live.publish(orgId, ['logs'], { to: userId }));
  }
}
