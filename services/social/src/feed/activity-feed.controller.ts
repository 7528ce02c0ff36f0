import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { ActivityFeed } from '@caravan/contracts/http/activity-feed';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { nextPageLink } from '@caravan/service-kit/page';
import { ValidQuery } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ActivityFeedQuery } from './activity-feed.query.ts';

const pageOfTen = pageQuerySchema(10);
/** What the paths call the scopes (D17). */
const scopes = { all: 'all', team: 'team', following: 'mine' } as const;

@Controller('api/activity-feed')
export class ActivityFeedController {
  constructor(@Inject(ActivityFeedQuery) private readonly activities: ActivityFeedQuery) {}

  @Get('all')
  readAll(
    @CurrentCaller() caller: Caller,
    @ValidQuery(pageOfTen) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.read('all', caller, page, reply);
  }

  @Get('team')
  readTeam(
    @CurrentCaller() caller: Caller,
    @ValidQuery(pageOfTen) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.read('team', caller, page, reply);
  }

  @Get('following')
  readOwn(
    @CurrentCaller() caller: Caller,
    @ValidQuery(pageOfTen) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.read('following', caller, page, reply);
  }

  private async read(
    path: keyof typeof scopes,
    caller: Caller,
    page: PageQuery,
    reply: FastifyReply,
  ): Promise<ActivityFeed> {
    const { activities, nextCursor } = await this.activities.page(scopes[path], caller, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: `/api/activity-feed/${path}`, query, cursor: nextCursor }));
    return { activities, hasMore: nextCursor !== undefined };
  }
}
