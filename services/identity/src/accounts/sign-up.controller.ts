import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/access.decorator';
import { type SignupAnswer, type SignupRequest, signupRequestSchema } from '@caravan/contracts/http/accounts';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { Sessions } from '../ports.ts';
import { Registration } from './registration.client.ts';

@Controller('api/signup')
export class SignUpController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(Registration) private readonly registration: Registration,
    @Inject(Sessions) private readonly sessions: Sessions,
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
    const { session, person, team } = await this.registration.register(request, from, at);
    const issued = await this.sessions.issueSession(session, person, answer, at);
    answer.header('set-cookie', this.attempts.devices.remember(headers.cookie, person.email, at));
    return { ...issued, assignedTeam: team };
  }
}
