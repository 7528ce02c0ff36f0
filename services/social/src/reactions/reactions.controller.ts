import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { reactionsQuerySchema, reactRequestSchema } from '@caravan/contracts/http/feed';
import type { ReactAnswer, Reaction, ReactRequest } from '@caravan/contracts/http/feed';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { authorOfPost } from '../feed/index.ts';
import { LiveReactions } from './live-reactions.service.ts';
import { reactionsIdOf, reactionsStream } from './reactions-stream.ts';
import { pageOfReactions } from './reactions.query.ts';

@Controller('api/feed')
export class ReactionsController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(LiveReactions) private readonly live: LiveReactions,
  ) {}

  @Post('react')
  @HttpCode(200)
  async react(
    @CurrentCaller() caller: Caller,
    @ValidBody(reactRequestSchema) { movementLogId: logId, emoji }: ReactRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<ReactAnswer> {
    const answer = await this.store.sharedTransaction(
      caller.meta,
      async (unit): Promise<ReactAnswer> => {
        const { userId } = caller;
        const { authorId, isOwnerOnly } = await authorOfPost(unit.tx, caller, logId);
        const command = { type: 'ToggleReaction', logId, userId, authorId, emoji, isOwnerOnly } as const;
        const { state } = await unit.handle(reactionsStream, reactionsIdOf(command), command);
        return { action: state.has(emoji) ? 'added' : 'removed' };
      },
      request,
    );
    this.live.tell(caller.orgId, logId);
    return answer;
  }
}

@Controller('api/feed/:id/reactions')
export class ReactionListController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
    @ValidQuery(reactionsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reaction[]> {
    const { pool, cursors, addresses } = this;
    const { reactions, nextCursor } = await pageOfReactions({ pool, cursors, addresses }, caller, id, page);
    const query = { limit: page.limit };
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: `/api/feed/${id}/reactions`, query, cursor: nextCursor }));
    return reactions;
  }
}
