import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import type { Miles } from '@caravan/contracts/http/scores';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { pageOfMiles } from './miles.query.ts';

@Controller('api/miles')
export class MilesController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(pageQuerySchema(20)) query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Miles> {
    const { pool, cursors } = this;
    const { miles, nextCursor } = await pageOfMiles({ pool, cursors }, caller, query);
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/miles', query: { limit: query.limit }, cursor: nextCursor }));
    return miles;
  }
}
