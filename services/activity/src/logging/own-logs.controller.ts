import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { correctLogRequestSchema, ownLogsQuerySchema } from '@caravan/contracts/http/movement';
import type { CorrectLogRequest, OwnLog, OwnLogsQuery } from '@caravan/contracts/http/movement';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Inject, Patch, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { correctMovement, type KeptLog, removeMovement } from './movement.service.ts';
import { pageOfOwnLogs } from './own-logs.query.ts';

@Controller('api/logs')
export class OwnLogsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(ownLogsQuerySchema) { cursor, ...query }: OwnLogsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OwnLog[]> {
    const { pool, cursors, addresses } = this;
    const { logs, nextCursor } = await pageOfOwnLogs({ pool, cursors }, caller, { ...query, cursor });
    if (nextCursor !== undefined) reply.header('link', nextPageLink({ path: '/api/logs', query, cursor: nextCursor }));
    return logs.map((log) => shownLog(log, addresses, caller));
  }
}

/** The owner may change a log for 7 days (D8). */
@Controller('api/logs/:id')
export class LogChangesController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Patch()
  async correct(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(correctLogRequestSchema) body: CorrectLogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<OwnLog> {
    const log = await this.store.sharedTransaction(caller.meta, (unit) => correctMovement(unit, id, body), request);
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return shownLog(log, this.addresses, caller);
  }

  @Delete()
  async remove(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
  ): Promise<{ removed: true }> {
    await this.store.sharedTransaction(caller.meta, (unit) => removeMovement(unit, id));
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return { removed: true };
  }
}

function shownLog({ photo, ...log }: KeptLog, addresses: PhotoAddresses, viewer: Caller): OwnLog {
  const photoPath = photo?.objectPath ?? null;
  return {
    ...log,
    photoPath,
    photoUrl: addresses.url(photoPath, viewer, viewer.at),
    photo: photo && addresses.shownPhoto(photo, viewer, viewer.at),
  };
}
