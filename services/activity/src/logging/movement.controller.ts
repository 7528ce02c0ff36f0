import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { type LogAnswer, type LogRequest, logRequestSchema } from '@caravan/contracts/http/movement';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { logMovement } from './movement.service.ts';
import type { Reach } from './movement.ts';

@Controller()
export class MovementController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Post('api/log')
  @HttpCode(200)
  log(
    @CurrentCaller() caller: Caller,
    @ValidBody(logRequestSchema) body: LogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<LogAnswer> {
    return this.enter(caller, body, { reach: 'week', request });
  }

  /** The same rules, three years back: by the service credential, and the gateway leads to none. */
  @Post('internal/movements')
  @HttpCode(200)
  logHistory(
    @CurrentCaller() caller: Caller,
    @ValidBody(logRequestSchema) body: LogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<LogAnswer> {
    return this.enter(caller, body, { reach: 'history', request });
  }

  private async enter(
    caller: Caller,
    body: LogRequest,
    { reach, request }: { reach: Reach; request: IdempotentRequest | undefined },
  ): Promise<LogAnswer> {
    const answer = await this.store.sharedTransaction(caller.meta, (unit) => logMovement(unit, body, reach), request);
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return answer;
  }
}
