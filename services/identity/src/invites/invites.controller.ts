import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { createInviteRequestSchema } from '@caravan/contracts/http/organisations';
import type { CreateInviteRequest, Invite } from '@caravan/contracts/http/organisations';
import { pageQuerySchema } from '@caravan/contracts/http/paging';
import type { PageQuery } from '@caravan/contracts/http/paging';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { Env } from '@caravan/service-kit/process/env';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { IdentityEnv } from '../env.ts';
import { inOrganisationOrder } from '../organisations/index.ts';
import { createInvite, invitesOf, revokeInvite, shownInvite } from './invites.store.ts';

@AdminOnly()
@Controller('api/invites')
export class InvitesController {
  constructor(
    @Inject(Pool) readonly pool: Pool,
    @Inject(Cursors) readonly cursors: Cursors,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Env) private readonly env: IdentityEnv,
  ) {}

  @Get()
  async invites(
    @ValidQuery(pageQuerySchema(25)) query: PageQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Invite[]> {
    const { rows, nextCursor } = await invitesOf(this, caller, query);
    if (nextCursor !== undefined) {
      const { limit } = query;
      reply.header('link', nextPageLink({ path: '/api/invites', query: { limit }, cursor: nextCursor }));
    }
    return rows.map((row) => shownInvite(row, this.env.PUBLIC_URL, caller.at));
  }

  @Post()
  create(
    @ValidBody(createInviteRequestSchema) body: CreateInviteRequest,
    @CurrentCaller() { meta, at }: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Invite> {
    return this.store.transaction(
      inOrganisationOrder(meta),
      async (unit) => shownInvite(await createInvite(unit, body), this.env.PUBLIC_URL, at),
      request,
    );
  }

  @Delete(':id')
  async revoke(@ValidParams(idParams) { id }: { id: string }, @CurrentCaller() caller: Caller): Promise<Invite> {
    return shownInvite(await revokeInvite(this.pool, caller, id), this.env.PUBLIC_URL, caller.at);
  }
}
