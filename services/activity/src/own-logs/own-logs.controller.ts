import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { nextPageLink } from '@caravan/service-kit/page';
import { ValidQuery } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OwnLogsQuery } from './own-logs.query.ts';

@Controller('api/logs')
export class OwnLogsController {
  constructor(@Inject(OwnLogsQuery) private readonly ownLogs: OwnLogsQuery) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(pageQuerySchema(10)) { limit, cursor }: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OwnLog[]> {
    const { logs, nextCursor } = await this.ownLogs.page(caller, limit, cursor);
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/logs', query: { limit }, cursor: nextCursor }));
    return logs;
  }
}
