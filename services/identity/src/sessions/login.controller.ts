import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/access.decorator';
import { type LoginRequest, loginRequestSchema, type SessionAnswer } from '@caravan/contracts/http/accounts';
import { Rejected } from '@caravan/event-store/rejected';
import { Log } from '@caravan/service-kit/log';
import { logSecurity } from '@caravan/service-kit/security-log';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { emailKeyOf } from '../email-key.ts';
import { Credentials } from './credentials.client.ts';
import { SessionKeeping } from './session-keeping.client.ts';

@Controller('api/login')
export class LoginController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(SessionKeeping) private readonly sessions: SessionKeeping,
    @Inject(Log) private readonly log: Log,
  ) {}

  @Public()
  @Post()
  @HttpCode(200)
  async login(
    @ValidBody(loginRequestSchema) { email, password }: LoginRequest,
    @CurrentInstant() at: Date,
    @Req() { ip, headers }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<SessionAnswer> {
    const emailKey = emailKeyOf(email);
    const from = { ip, device: this.attempts.devices.deviceOf(headers.cookie, email, at) };
    const person = await this.attempts.atAccount(emailKey, from, () => this.credentials.personOf(emailKey, password));
    const session = person && (await this.sessions.begin(person, headers['user-agent'], at));
    if (!session) {
      logSecurity(this.log, 'sign-in-refused', { account: this.attempts.marks.of(emailKey), ip });
      throw new Rejected('login/invalid-credentials', 'unauthenticated', 'Invalid credentials');
    }
    const { userId, orgId, role } = person;
    logSecurity(this.log, 'sign-in', { userId, orgId, role, sessionId: session.sessionId, ip });
    const issued = await this.sessions.issueSession(session, person, answer, at);
    answer.header('set-cookie', this.attempts.devices.remember(headers.cookie, email, at));
    return issued;
  }
}
