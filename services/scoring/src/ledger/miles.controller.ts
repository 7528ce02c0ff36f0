import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { organisationDateOf } from '@caravan/contracts/domain/time/organisation-zone';
import { type Miles, type OwnDays, type OwnDaysQuery, ownDaysQuerySchema } from '@caravan/contracts/http/scores';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OrganisationWeek } from '../directory/index.ts';
import { pageOfMiles } from './miles.query.ts';
import { ownDaysOf } from './own-days.query.ts';

@Controller('api/miles')
export class MilesController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
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

  @Get('days')
  async days(@CurrentCaller() caller: Caller, @ValidQuery(ownDaysQuerySchema) query: OwnDaysQuery): Promise<OwnDays> {
    const zones = await this.week.zonesOf(caller.orgId);
    return ownDaysOf(this.pool, caller, query, organisationDateOf(zones, caller.at));
  }
}
