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
import { BonusWindow } from '../doors.ts';
import { answerOf, commandOf, hasOwnTexts, loggableSchema, textsOf } from './log-request.ts';
import { loggingMember } from './member.query.ts';
import { movementStream } from './movement-stream.ts';
import type { MovementTexts } from './public-events.ts';

@Controller('api/log')
export class MovementController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(BonusWindow) private readonly bonusWindow: BonusWindow,
  ) {}

  @Post()
  @HttpCode(200)
  async log(
    @CurrentCaller() caller: Caller,
    @ValidBody(loggableSchema) body: LogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<LogAnswer> {
    const answer = await this.store.transaction(
      caller.meta,
      (unit) => logMovement(unit, body, this.bonusWindow),
      request,
    );
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return answer;
  }
}

async function logMovement(unit: PersonUnit, body: LogRequest, bonusWindow: BonusWindow): Promise<LogAnswer> {
  const member = await loggingMember(unit);
  const { bonus, refusal } = body.bonusChallengeId ? await bonusWindow.judge(unit, body) : {};
  const ids = { logId: randomUUIDv7(), userId: unit.meta.key.id, bonus };
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
