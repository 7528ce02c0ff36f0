import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/recaps';
import type { RecapsEffect } from '@caravan/contracts/http/analytics';
import type { Engagement, EngagementRequest, Recap, RecapEffect, RecapSummary } from '@caravan/contracts/http/recaps';
import type { PageQuery } from '@caravan/contracts/http/paging';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RecapPictures } from './pictures.query.ts';
import { RecapsQuery } from './recaps.query.ts';
import { RecapsService } from './recaps.service.ts';

type Id = { id: string };
type Week = { week: string };

@Controller()
export class RecapsController {
  constructor(
    @Inject(RecapsQuery) private readonly recaps: RecapsQuery,
    @Inject(RecapsService) private readonly service: RecapsService,
    @Inject(RecapPictures) private readonly pictures: RecapPictures,
  ) {}

  @Get('api/recaps')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.recapsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecapSummary[]> {
    const { recaps, nextCursor } = await this.recaps.page(caller, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/recaps', query, cursor: nextCursor }));
    return recaps;
  }

  @Get('api/recaps/:id')
  read(@CurrentCaller() caller: Caller, @ValidParams(contract.recapParamSchema) { id }: Id): Promise<Recap> {
    return this.recaps.recap(caller, id);
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
    return this.recaps.effect(orgId, id);
  }

  /** Of all recaps together, for the figures of admins. */
  @AdminOnly()
  @Get('api/analytics/recaps')
  effects(@CurrentCaller() caller: Caller): Promise<RecapsEffect> {
    return this.recaps.effects(caller);
  }

  /** Whoever has it already is told so: it changes only with what it shows. */
  @Get('api/recaps/:id/picture')
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

  /** For the demo, whose history is older than itself: by the service credential, and the gateway leads to none. */
  @Post('internal/recaps/:week')
  @HttpCode(200)
  async build(@CurrentCaller() caller: Caller, @ValidParams(contract.weekParamSchema) { week }: Week): Promise<Recap> {
    await this.service.buildPast(caller, week);
    return this.recaps.recap(caller, week);
  }
}
