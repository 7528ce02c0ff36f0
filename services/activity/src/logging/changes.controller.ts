import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { correctLogRequestSchema } from '@caravan/contracts/http/movement';
import type { CorrectLogRequest, OwnLog } from '@caravan/contracts/http/movement';
import { EventStore } from '@caravan/event-store/event-store';
import type { IdempotentRequest } from '@caravan/event-store/event-store';
import { IdempotencyKey } from '@caravan/service-kit/idempotency.decorator';
import { Live } from '@caravan/service-kit/live';
import { idParams, ValidBody, ValidParams } from '@caravan/service-kit/valid.decorator';
import { Controller, Delete, Inject, Patch } from '@nestjs/common';
import { correctMovement, removeMovement } from './change-movement.query.ts';

/** What the owner of a log may still do with it, for 7 days (D8). */
@Controller('api/logs')
export class ChangesController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Patch(':id')
  async correct(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(correctLogRequestSchema) body: CorrectLogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<OwnLog> {
    const log = await this.store.transaction(caller.meta, (unit) => correctMovement(unit, id, body), request);
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return log;
  }

  @Delete(':id')
  async remove(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
  ): Promise<{ removed: true }> {
    await this.store.transaction(caller.meta, (unit) => removeMovement(unit, id));
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return { removed: true };
  }
}
