import { randomUUIDv7 } from 'node:crypto';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { LogAnswer, LogRequest } from '@caravan/contracts/http/movement';
import { EventStore } from '@caravan/event-store/event-store';
import type { IdempotentRequest, PersonUnit } from '@caravan/event-store/event-store';
import { IdempotencyKey } from '@caravan/service-kit/idempotency.decorator';
import { Live } from '@caravan/service-kit/live';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { BonusWindow } from '../ports.ts';
import { answerOf, commandOf, hasOwnTexts, loggableSchema, textsOf } from './log-request.ts';
import { loggingMember } from './member.query.ts';
import type { Reach } from './movement-start.ts';
import { movementStream } from './movement-stream.ts';
import type { MovementTexts } from './public-events.ts';

@Controller()
export class MovementController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(BonusWindow) private readonly bonusWindow: BonusWindow,
  ) {}

  @Post('api/log')
  @HttpCode(200)
  log(
    @CurrentCaller() caller: Caller,
    @ValidBody(loggableSchema) body: LogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<LogAnswer> {
    return this.enter(caller, body, { reach: 'week', request });
  }

  /**
   * A movement of a history that an operator brings along, such as the demo's: the same rules, three years back. No door
   * of members: internal paths ask for the service credential, and the gateway leads to none.
   */
  @Post('internal/movements')
  @HttpCode(200)
  logHistory(
    @CurrentCaller() caller: Caller,
    @ValidBody(loggableSchema) body: LogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<LogAnswer> {
    return this.enter(caller, body, { reach: 'history', request });
  }

  private async enter(
    caller: Caller,
    body: LogRequest,
    { reach, request }: { reach: Reach; request: IdempotentRequest | undefined },
  ): Promise<LogAnswer> {
    const { bonusWindow } = this;
    const log = (unit: PersonUnit) => logMovement(unit, body, { bonusWindow, reach });
    const answer = await this.store.transaction(caller.meta, log, request);
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return answer;
  }
}

/**
 * Logs a movement of the unit's member, as far back as `reach` allows. Throws `Rejected` by the rules, and unavailable
 * while this service has not heard of the member.
 */
async function logMovement(
  unit: PersonUnit,
  body: LogRequest,
  { bonusWindow, reach }: { readonly bonusWindow: BonusWindow; readonly reach: Reach },
): Promise<LogAnswer> {
  const member = await loggingMember(unit);
  const { bonus, refusal } = body.bonusChallengeId ? await bonusWindow.judge(unit, body) : {};
  const ids = { logId: randomUUIDv7(), userId: unit.meta.key.id, bonus, reach };
  const texts = textsOf(body);
  const command = commandOf(body, member, ids);
  const [, { events }] = await Promise.all([
    hasOwnTexts(texts) && keepTexts(unit, ids, texts),
    unit.handle(movementStream, ids.logId, command, texts, { fresh: true, last: true }),
  ]);
  const [logged] = events;
  if (logged?.type !== 'MovementLogged') throw new Error('A log under a new id is never logged already');
  return answerOf(logged, member, refusal);
}

function keepTexts({ tx, meta }: PersonUnit, ids: { logId: string; userId: string }, texts: MovementTexts) {
  return tx.query(
    `insert into movement_texts (org_id, log_id, user_id, activity_type, caption, location)
     values ($1, $2, $3, $4, $5, $6)`,
    [meta.orgId, ids.logId, ids.userId, texts.activityType, texts.caption, texts.location],
  );
}
