import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import {
  changeMemberRequestSchema,
  changeTeamRequestSchema,
  formTeamRequestSchema,
  membersQuerySchema,
} from '@caravan/contracts/http/organisations';
import type {
  ChangeMemberRequest,
  ChangeTeamRequest,
  FormTeamRequest,
  ManagedMember,
  ManagedTeam,
  MembersQuery,
} from '@caravan/contracts/http/organisations';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { Pool } from '@caravan/service-kit/storage/pool';
import { noteConcerned } from '@caravan/service-kit/telemetry/request-context';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, Inject, Patch, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { inOrganisationOrder } from '../organisations/index.ts';
import { changeTeam, formTeam, MemberAdmin } from './admin.service.ts';
import { membersOf, teamOf, teamsOf } from './members.query.ts';

@AdminOnly()
@Controller('api/members')
export class MembersController {
  constructor(
    @Inject(Pool) readonly pool: Pool,
    @Inject(MemberAdmin) private readonly changes: MemberAdmin,
    @Inject(Cursors) readonly cursors: Cursors,
  ) {}

  @Get()
  async members(
    @ValidQuery(membersQuerySchema) query: MembersQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ManagedMember[]> {
    const { members, nextCursor } = await membersOf(this, caller, query);
    if (nextCursor !== undefined)
      reply.header('link', nextPageLink({ path: '/api/members', query, cursor: nextCursor }));
    return members;
  }

  @Patch(':id')
  change(
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(changeMemberRequestSchema) wish: ChangeMemberRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<ManagedMember> {
    // A member who was moved earns for the new team with the next log, also before they are shown it.
    noteConcerned(id);
    return this.changes.change(caller, id, wish);
  }
}

@AdminOnly()
@Controller('api/teams')
export class TeamsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Get()
  teams(@CurrentCaller() { orgId }: Caller): Promise<ManagedTeam[]> {
    return teamsOf(this.pool, orgId);
  }

  @Post()
  async form(
    @ValidBody(formTeamRequestSchema) naming: FormTeamRequest,
    @CurrentCaller() { orgId, meta }: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<ManagedTeam> {
    const formed = await this.store.transaction(
      inOrganisationOrder(meta),
      async (unit) => teamOf(unit.tx, orgId, await formTeam(unit, naming)),
      request,
    );
    this.live.publish(orgId, ['teams']);
    return formed;
  }

  @Patch(':id')
  async change(
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(changeTeamRequestSchema) wish: ChangeTeamRequest,
    @CurrentCaller() { orgId, meta }: Caller,
  ): Promise<ManagedTeam> {
    const changed = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      await changeTeam(unit, id, wish);
      return teamOf(unit.tx, orgId, id);
    });
    // A team's name stands beside its members everywhere.
    this.live.publish(orgId, ['teams', 'members', 'people', 'me']);
    return changed;
  }
}
