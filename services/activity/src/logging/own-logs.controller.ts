import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { correctLogRequestSchema, ownLogsQuerySchema } from '@caravan/contracts/http/movement';
import type { CorrectLogRequest, OwnLog, OwnLogsQuery as Query } from '@caravan/contracts/http/movement';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Inject, Patch, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { correctMovement, type KeptLog, removeMovement } from './movement.service.ts';
import { OwnLogsQuery } from './own-logs.query.ts';

/** The owner may change them for 7 days (D8). */
@Controller('api/logs')
export class OwnLogsController {
  constructor(
    @Inject(OwnLogsQuery) private readonly ownLogs: OwnLogsQuery,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(ownLogsQuerySchema) { cursor, ...query }: Query,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OwnLog[]> {
    const { logs, nextCursor } = await this.ownLogs.page(caller, { ...query, cursor });
    if (nextCursor !== undefined) reply.header('link', nextPageLink({ path: '/api/logs', query, cursor: nextCursor }));
    return logs.map((log) => this.shown(log, caller));
  }

  @Patch(':id')
  async correct(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(correctLogRequestSchema) body: CorrectLogRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<OwnLog> {
    const log = await this.store.sharedTransaction(caller.meta, (unit) => correctMovement(unit, id, body), request);
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return this.shown(log, caller);
  }

  @Delete(':id')
  async remove(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
  ): Promise<{ removed: true }> {
    await this.store.sharedTransaction(caller.meta, (unit) => removeMovement(unit, id));
    this.live.publish(caller.orgId, ['logs'], { to: caller.userId });
    return { removed: true };
  }

  private shown({ photo, ...log }: KeptLog, viewer: Caller): OwnLog {
    const photoPath = photo?.objectPath ?? null;
    return {
      ...log,
      photoPath,
      photoUrl: this.addresses.url(photoPath, viewer, viewer.at),
      photo: photo && this.addresses.shown(photo, viewer, viewer.at),
    };
  }
}
