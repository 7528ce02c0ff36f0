import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { changeMemberRequestSchema, membersQuerySchema } from '@caravan/contracts/http/organisations';
import type { ChangeMemberRequest, ManagedMember, MembersQuery } from '@caravan/contracts/http/organisations';
import { nextPageLink } from '@caravan/service-kit/page';
import { Pool } from '@caravan/service-kit/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Patch, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { MemberAdmin } from './admin.service.ts';
import { membersOf } from './members.query.ts';

@AdminOnly()
@Controller('api/members')
export class MembersController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MemberAdmin) private readonly changes: MemberAdmin,
  ) {}

  @Get()
  async members(
    @ValidQuery(membersQuerySchema) query: MembersQuery,
    @CurrentCaller() { orgId }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ManagedMember[]> {
    const { members, nextCursor } = await membersOf(this.pool, orgId, query);
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
    return this.changes.change(caller, id, wish);
  }
}
