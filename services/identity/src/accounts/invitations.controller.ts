import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/access.decorator';
import { type Invitation, invitationQuerySchema } from '@caravan/contracts/http/organisations';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Rejected } from '@caravan/event-store/rejected';
import { Pool } from '@caravan/service-kit/pool';
import { ValidQuery } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { inviteOf } from '../across-organisations.query.ts';
import { Attempts } from '../attempts.client.ts';
import { assertOpen } from './joining.ts';

@Controller('api/invitations')
export class InvitationsController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  /** Where an invite leads. Unknown codes count like failed sign-ins, so that nobody tries many. */
  @Public()
  @Get()
  invitation(
    @ValidQuery(invitationQuerySchema) { code }: { code: string },
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<Invitation> {
    return this.attempts.fromAddress(ip, () => this.find(code, at));
  }

  private async find(code: string, at: Date): Promise<Invitation> {
    const invite = await inviteOf(this.pool, code);
    if (!invite) throw new Rejected('invite/unknown', 'not-found', 'This invite is not known');
    assertOpen(invite, at);
    const { rows } = await tenantQuery<Invitation>(
      this.pool,
      invite.orgId,
      'select name as "organizationName", logo_data_url as "logoUrl" from organisations where org_id = $1',
      [invite.orgId],
    );
    const [organisation] = rows;
    if (!organisation) throw new Error('An invite leads to an organisation that does not exist');
    return organisation;
  }
}
