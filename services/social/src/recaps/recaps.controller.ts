import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/recaps';
import type { RecapsEffect } from '@caravan/contracts/http/analytics';
import type { Engagement, EngagementRequest, Recap, RecapEffect, RecapSummary } from '@caravan/contracts/http/recaps';
import type { PageQuery } from '@caravan/contracts/http/paging';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { effectOf } from './engagement.query.ts';
import { recapsEffectOf } from './readers.query.ts';
import { RecapPictures } from './recap-pictures.service.ts';
import { pageOfRecaps, readRecap } from './recaps.query.ts';
import { RecapsService } from './recaps.service.ts';

type Id = { id: string };
type Week = { week: string };

@Controller()
export class RecapsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
    @Inject(RecapsService) private readonly service: RecapsService,
  ) {}

  @Get('api/recaps')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.recapsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecapSummary[]> {
    const { pool, cursors } = this;
    const { recaps, nextCursor } = await pageOfRecaps({ pool, cursors }, caller, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/recaps', query, cursor: nextCursor }));
    return recaps;
  }

  @Get('api/recaps/:id')
  read(@CurrentCaller() caller: Caller, @ValidParams(contract.recapParamSchema) { id }: Id): Promise<Recap> {
    return this.recap(caller, id);
  }

  @Post('api/recaps/:id/engagement')
  @HttpCode(200)
  engage(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidBody(contract.engagementRequestSchema) body: EngagementRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Engagement> {
    return this.service.engage(caller, id, body, request);
  }

  @AdminOnly()
  @Get('api/recaps/:id/analytics')
  effect(@CurrentCaller() { orgId }: Caller, @ValidParams(idParams) { id }: Id): Promise<RecapEffect> {
    return withTenant(this.pool, orgId, (tx) => effectOf(tx, orgId, id));
  }

  /** Of all recaps together, for the figures of admins. */
  @AdminOnly()
  @Get('api/analytics/recaps')
  effects(@CurrentCaller() { orgId, at }: Caller): Promise<RecapsEffect> {
    return withTenant(this.pool, orgId, (tx) => recapsEffectOf(tx, orgId, at));
  }

  /** For the demo, whose history is older than itself: by the service credential, and the gateway leads to none. */
  @Post('internal/recaps/:week')
  @HttpCode(200)
  async build(@CurrentCaller() caller: Caller, @ValidParams(contract.weekParamSchema) { week }: Week): Promise<Recap> {
    await this.service.buildPast(caller, week);
    return this.recap(caller, week);
  }

  private recap(caller: Caller, name: string): Promise<Recap> {
    const { pool, addresses } = this;
    return readRecap({ pool, addresses }, caller, name);
  }
}

@Controller('api/recaps/:id/picture')
export class RecapPicturesController {
  constructor(@Inject(RecapPictures) private readonly pictures: RecapPictures) {}

  /** Whoever has it already is told so: it changes only with what it shows. */
  @Get()
  async picture(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidQuery(contract.pictureQuerySchema) { own }: { own: 'true' | 'false' },
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const { tag, png } = await this.pictures.pictureOf(caller, id, own === 'true');
    const etag = `"${tag}"`;
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (reply.request.headers['if-none-match'] === etag) return void reply.status(304);
    const file = await png();
    return new StreamableFile(file, {
      type: 'image/png',
      length: file.length,
      disposition: 'inline; filename="caravan-week.png"',
    });
  }
}
