import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { ActivityFeed } from '@caravan/contracts/http/activity-feed';
import type { FeedEntry, FeedPost, GalleryPhoto } from '@caravan/contracts/http/feed';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { Rejected } from '@caravan/kernel/rejected';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { idParams, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { activityFeedItem } from './activity-feed.query.ts';
import { feedPost, photosOfMember } from './feed.query.ts';
import { FeedService } from './feed.service.ts';
import type { FeedScope } from './shared-feed.query.ts';

const pageOfTen = pageQuerySchema(10);
const pageOfPhotos = pageQuerySchema(24);

@Controller('api/feed')
export class FeedController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
    @Inject(FeedService) private readonly feed: FeedService,
  ) {}

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

  @Get('mine')
  readMine(
    @CurrentCaller() caller: Caller,
    @ValidQuery(pageOfTen) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.read('mine', caller, page, reply);
  }

  @Get('entries/:id')
  async readEntry(@CurrentCaller() caller: Caller, @ValidParams(idParams) { id }: { id: string }): Promise<FeedEntry> {
    const { pool, addresses } = this;
    const post = await feedPost({ pool, addresses }, caller, id);
    if (post) return { kind: 'movement', post };
    const activity = await activityFeedItem({ pool, addresses }, caller, id);
    if (!activity) throw new Rejected('feed/post-not-found', 'not-found', 'There is no such post');
    return { kind: 'checkpoint', activity };
  }

  private async read(scope: FeedScope, caller: Caller, page: PageQuery, reply: FastifyReply): Promise<FeedPost[]> {
    const { posts, nextCursor } = await this.feed.pageOfPosts(scope, caller, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: `/api/feed/${scope}`, query, cursor: nextCursor }));
    return posts;
  }
}

/** What the paths call the scopes (D17). */
const scopes = { all: 'all', team: 'team', following: 'mine' } as const;

@Controller('api/activity-feed')
export class ActivityFeedController {
  constructor(@Inject(FeedService) private readonly feed: FeedService) {}

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
    const { activities, nextCursor } = await this.feed.pageOfActivities(scopes[path], caller, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: `/api/activity-feed/${path}`, query, cursor: nextCursor }));
    return { activities, hasMore: nextCursor !== undefined };
  }
}

/** What hangs in a profile (2.107). */
@Controller('api/users')
export class GalleryController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get(':id/photos')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
    @ValidQuery(pageOfPhotos) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GalleryPhoto[]> {
    const { pool, cursors, addresses } = this;
    const { photos, nextCursor } = await photosOfMember({ pool, cursors, addresses }, caller, id, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: `/api/users/${id}/photos`, query, cursor: nextCursor }));
    return photos;
  }
}
