import { Public } from '@caravan/auth/access.decorator';
import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { signupRequestSchema } from '@caravan/contracts/http/accounts';
import type { SignupAnswer, SignupRequest } from '@caravan/contracts/http/accounts';
import { invitationQuerySchema } from '@caravan/contracts/http/organisations';
import type { Invitation } from '@caravan/contracts/http/organisations';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts } from '../credentials/index.ts';
import { inviteOf } from '../invites/index.ts';
import { SessionService } from '../sessions/index.ts';
import { assertOpen } from './joining.ts';
import { SignUpService } from './sign-up.service.ts';

@Controller('api/signup')
export class SignUpController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(SignUpService) private readonly signUps: SignUpService,
    @Inject(SessionService) private readonly sessions: SessionService,
  ) {}

  @Public()
  @Post()
  @HttpCode(200)
  async signUp(
    @ValidBody(signupRequestSchema) request: SignupRequest,
    @CurrentInstant() at: Date,
    @Req() { ip, headers }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<SignupAnswer> {
    const from = { ip, userAgent: headers['user-agent'] };
    const { session, person, team } = await this.signUps.signUp(request, from, at);
    const issued = await this.sessions.issueSession(session, person, answer, at);
    answer.header('set-cookie', this.attempts.devices.remember(headers.cookie, person.email, at));
    return { ...issued, assignedTeam: team };
  }
}

@Controller('api/invitations')
export class InvitationsController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  /** Unknown codes count like failed sign-ins, so that nobody tries many. */
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
      'select name as organization_name, logo_data_url as logo_url from organisations where org_id = $1',
      [invite.orgId],
    );
    const [organisation] = rows;
    if (!organisation) throw new Error('An invite leads to an organisation that does not exist');
    return organisation;
  }
}
