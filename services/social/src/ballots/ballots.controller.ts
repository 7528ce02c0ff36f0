import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import {
  type Ballot,
  ballotsQuerySchema,
  type NameOptions,
  type BallotRequest,
  ballotRequestSchema,
  type OpenBallotsRequest,
  openBallotsRequestSchema,
  type VoteRequest,
  voteRequestSchema,
} from '@caravan/contracts/http/ballots';
import type { PageQuery } from '@caravan/contracts/http/paging';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { newestFirstKey, nextPageLink } from '@caravan/service-kit/http/page';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Patch, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ballotAsManaged, nameOptionsFor, pageOfBallots } from './ballots.query.ts';
import { BallotsService } from './ballots.service.ts';

/** What members of a team see and do; the rest of `/api/teams` is identity's. */
@Controller('api/teams')
export class VotingController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(BallotsService) private readonly ballots: BallotsService,
  ) {}

  @Get(':id/name-options')
  read(@ValidParams(idParams) { id }: { id: string }, @CurrentCaller() caller: Caller): Promise<NameOptions> {
    return withTenant(this.pool, caller.orgId, (tx) => nameOptionsFor(tx, caller, id));
  }

  @Post('vote')
  @HttpCode(200)
  vote(
    @ValidBody(voteRequestSchema) vote: VoteRequest,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<NameOptions> {
    return this.ballots.vote(caller, vote, request);
  }

  @AdminOnly()
  @Post(':id/ballots')
  open(
    @ValidParams(idParams) { id: teamId }: { id: string },
    @ValidBody(ballotRequestSchema) wish: BallotRequest,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Ballot> {
    return this.ballots.open(caller, { ...wish, teamId }, request);
  }
}

@AdminOnly()
@Controller('api/ballots')
export class BallotsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(BallotsService) private readonly ballots: BallotsService,
    @Inject(Cursors) private readonly cursors: Cursors,
  ) {}

  @Get()
  async list(
    @ValidQuery(ballotsQuerySchema) { limit, cursor }: PageQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Ballot[]> {
    const { orgId, at } = caller;
    const pages = this.cursors.of({ operation: 'listBallots', reader: caller }, newestFirstKey);
    const before = pages.after(cursor);
    const all = await withTenant(this.pool, orgId, (tx) => pageOfBallots(tx, orgId, { before, limit }));
    const { rows, nextCursor } = pages.cut(all, limit, ({ openedAt, id }) => [openedAt.toISOString(), id]);
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/ballots', query: { limit }, cursor: nextCursor }));
    return rows.map((row) => ballotAsManaged(row, at));
  }

  @Post()
  openForAll(
    @ValidBody(openBallotsRequestSchema) wish: OpenBallotsRequest,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Ballot[]> {
    return this.ballots.openForAll(caller, wish, request);
  }

  @Patch(':id')
  edit(
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(ballotRequestSchema) wish: BallotRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Ballot> {
    return this.ballots.edit(caller, id, wish);
  }

  @Post(':id/close')
  @HttpCode(200)
  close(@ValidParams(idParams) { id }: { id: string }, @CurrentCaller() caller: Caller): Promise<Ballot> {
    return this.ballots.close(caller, id);
  }
}
