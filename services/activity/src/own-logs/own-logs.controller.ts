import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { ownLogsQuerySchema } from '@caravan/contracts/http/movement';
import type { OwnLog, OwnLogsQuery as Query } from '@caravan/contracts/http/movement';
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
    @ValidQuery(ownLogsQuerySchema) { cursor, ...query }: Query,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OwnLog[]> {
    const { logs, nextCursor } = await this.ownLogs.page(caller, { ...query, cursor });
    if (nextCursor !== undefined) reply.header('link', nextPageLink({ path: '/api/logs', query, cursor: nextCursor }));
    return logs;
  }
}
