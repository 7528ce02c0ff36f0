import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/notifications';
import type { MarkReadRequest, Mutes, Notification, Unread } from '@caravan/contracts/http/notifications';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IfMatch } from '@caravan/service-kit/http/if-match.decorator';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { mutesOf, pageOfNotifications, unreadOf } from './notices.query.ts';
import { NoticesService } from './notices.service.ts';

@Controller('api/notifications')
export class NotificationsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(NoticesService) private readonly service: NoticesService,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.notificationsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Notification[]> {
    const { pool, cursors } = this;
    const { notifications, nextCursor } = await pageOfNotifications({ pool, cursors }, caller, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/notifications', query, cursor: nextCursor }));
    return notifications;
  }

  @Get('unread')
  countUnread(@CurrentCaller() caller: Caller): Promise<Unread> {
    return withTenant(this.pool, caller.orgId, (tx) => unreadOf(tx, caller));
  }

  @Post('read')
  @HttpCode(200)
  markRead(
    @CurrentCaller() caller: Caller,
    @ValidBody(contract.markReadRequestSchema) body: MarkReadRequest,
  ): Promise<Unread> {
    return this.service.markRead(caller, body);
  }

  @Get('mutes')
  async mutes(@CurrentCaller() caller: Caller): Promise<Mutes> {
    return { kinds: await withTenant(this.pool, caller.orgId, (tx) => mutesOf(tx, caller)) };
  }

  @Put('mutes')
  mute(
    @CurrentCaller() caller: Caller,
    @ValidBody(contract.mutesSchema) body: Mutes,
    @IfMatch() seen: string | undefined,
  ): Promise<Mutes> {
    return this.service.mute(caller, body, seen);
  }
}
