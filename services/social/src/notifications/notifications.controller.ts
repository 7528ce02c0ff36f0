import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/notifications';
import type { MarkReadRequest, Mutes, Notifications, Unread } from '@caravan/contracts/http/notifications';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { ValidBody, ValidQuery } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';
import { NoticesQuery } from './notices.query.ts';
import { NoticesService } from './notices.service.ts';

@Controller('api/notifications')
export class NotificationsController {
  constructor(
    @Inject(NoticesQuery) private readonly notices: NoticesQuery,
    @Inject(NoticesService) private readonly service: NoticesService,
  ) {}

  @Get()
  list(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.notificationsQuerySchema) page: PageQuery,
  ): Promise<Notifications> {
    return this.notices.page(caller, page);
  }

  @Get('unread')
  unread(@CurrentCaller() caller: Caller): Promise<Unread> {
    return this.notices.unread(caller);
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
    return { kinds: await this.notices.mutes(caller) };
  }

  @Put('mutes')
  mute(@CurrentCaller() caller: Caller, @ValidBody(contract.mutesSchema) body: Mutes): Promise<Mutes> {
    return this.service.mute(caller, body);
  }
}
