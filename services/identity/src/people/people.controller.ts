import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import type { FollowAnswer, PersonRow, UserProfile } from '@caravan/contracts/http/people';
import { EventStore } from '@caravan/event-store/core/event-store';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { Live } from '@caravan/service-kit/live/live';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Inject, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ownFace } from '../sessions/index.ts';
import { follow, unfollow } from './follows.store.ts';
import { type FollowList, pageOfFollows, profileOf } from './profile.query.ts';

@Controller('api/users/:id')
export class PeopleController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get()
  async profile(@ValidParams(idParams) { id }: { id: string }, @CurrentCaller() caller: Caller): Promise<UserProfile> {
    const profile = await profileOf(this.pool, caller, id);
    return { ...profile, profilePhotoUrl: ownFace(this.addresses, profile.profilePhotoUrl, caller) };
  }

  @Get('followers')
  followers(
    @ValidParams(idParams) { id }: { id: string },
    @ValidQuery(pageQuerySchema(25)) query: PageQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonRow[]> {
    return this.page(caller, id, { ...query, list: 'followers' }, reply);
  }

  @Get('following')
  following(
    @ValidParams(idParams) { id }: { id: string },
    @ValidQuery(pageQuerySchema(25)) query: PageQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonRow[]> {
    return this.page(caller, id, { ...query, list: 'following' }, reply);
  }

  private async page(
    caller: Caller,
    id: string,
    query: PageQuery & { list: FollowList },
    reply: FastifyReply,
  ): Promise<PersonRow[]> {
    const { pool, cursors } = this;
    const { people, nextCursor } = await pageOfFollows({ pool, cursors }, caller, id, query);
    if (nextCursor !== undefined) {
      const path = `/api/users/${id}/${query.list}`;
      reply.header('link', nextPageLink({ path, query: { limit: query.limit }, cursor: nextCursor }));
    }
    return people.map((person) => ({
      ...person,
      profilePhotoUrl: this.addresses.face(person.profilePhotoUrl, caller),
    }));
  }
}

@Controller('api/users/:id/follow')
export class FollowController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Put()
  async follow(@ValidParams(idParams) { id }: { id: string }, @CurrentCaller() caller: Caller): Promise<FollowAnswer> {
    const answer = await follow(this.store, caller, id);
    this.live.publish(caller.orgId, ['people']);
    return answer;
  }

  @Delete()
  async unfollow(
    @ValidParams(idParams) { id }: { id: string },
    @CurrentCaller() caller: Caller,
  ): Promise<FollowAnswer> {
    const answer = await unfollow(this.store, caller, id);
    this.live.publish(caller.orgId, ['people']);
    return answer;
  }
}
