import { OpenToGuests, Public } from '@caravan/auth/access.decorator';
import { CurrentCaller, CurrentInstant } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { isFromOwnPages, refreshCookieOf } from '@caravan/auth/cookies';
import { bearerOf, TokenVerifier } from '@caravan/auth/token-verifier';
import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import { emptyBodySchema, loginRequestSchema } from '@caravan/contracts/http/accounts';
import type { LoginRequest, SessionAnswer } from '@caravan/contracts/http/accounts';
import type { OwnSession } from '@caravan/contracts/http/people';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { logSecurity } from '@caravan/service-kit/telemetry/security-log';
import { idParams, uuidParams, ValidBody, ValidParams } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts } from '../credentials/index.ts';
import type { IdentityEnv } from '../env.ts';
import { readRefreshToken } from './refresh-tokens.store.ts';
import type { RefreshToken } from './refresh-tokens.store.ts';
import { Credentials, SessionService, SessionStates } from './sessions.service.ts';
import { ownSessions } from './sessions.store.ts';

type SessionRef = { readonly orgId: string; readonly sessionId: string };

/** The two operations that a cookie authenticates, and nothing else (S09). */
@Controller('api')
export class SessionsController {
  constructor(
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(TokenVerifier) private readonly verifier: TokenVerifier,
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(Log) private readonly log: Log,
  ) {}

  @Public()
  @Post('auth/refresh')
  @HttpCode(200)
  async refresh(
    @ValidBody(emptyBodySchema) _body: object,
    @CurrentInstant() at: Date,
    @Req() { headers, ip }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<SessionAnswer> {
    const token = this.cookieOf(headers);
    const refreshed = token && (await this.sessions.refresh(token, at));
    if (refreshed?.is === 'refreshed')
      return this.sessions.issueSession(refreshed.session, refreshed.person, answer, at);
    if (refreshed?.is === 'reused') {
      const { sessionId, userId } = refreshed;
      logSecurity(this.log, 'refresh-token-reused', { sessionId, userId, ip });
    }
    if (token) answer.header('set-cookie', this.sessions.cookie.clear());
    throw new Rejected('session/no-refresh', 'unauthenticated', 'Please sign in again.');
  }

  @Public()
  @Post('logout')
  @HttpCode(200)
  async logout(
    @ValidBody(emptyBodySchema) _body: object,
    @CurrentInstant() at: Date,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<{ loggedOut: true }> {
    const token = this.cookieOf(headers);
    const found = await Promise.all([this.sessionOfCookie(token), this.sessionOfBearer(headers.authorization)]);
    const sessions = found.filter((session) => session !== undefined);
    if (token) answer.header('set-cookie', this.sessions.cookie.clear());
    if (sessions.length === 0) throw new Rejected('session/none', 'unauthenticated', 'You are not signed in.');
    for (const { orgId, sessionId } of sessions) await this.sessions.end(orgId, sessionId, 'logout', at);
    this.log.info({ event: 'logout', sessionIds: sessions.map(({ sessionId }) => sessionId) }, 'signed out');
    return { loggedOut: true };
  }

  private cookieOf(headers: FastifyRequest['headers']): RefreshToken | undefined {
    const sentBy = { origin: headers.origin, 'sec-fetch-site': headers['sec-fetch-site']?.toString() };
    if (!isFromOwnPages(sentBy, this.env.PUBLIC_URL)) return undefined;
    return readRefreshToken(this.sessions.cookie.read(headers.cookie));
  }

  private async sessionOfCookie(token: RefreshToken | undefined): Promise<SessionRef | undefined> {
    if (!token) return undefined;
    const sessionId = await this.sessions.sessionOf(token);
    return sessionId === undefined ? undefined : { orgId: token.orgId, sessionId };
  }

  private async sessionOfBearer(authorization: string | undefined): Promise<SessionRef | undefined> {
    const bearer = bearerOf(authorization);
    if (bearer === undefined) return undefined;
    const claims = await this.verifier.verify(bearer).catch((error: unknown) => {
      if (error instanceof Rejected && error.kind === 'unauthenticated') return undefined;
      throw error;
    });
    return claims && { orgId: claims.org, sessionId: claims.sid };
  }
}

@Controller('api/login')
export class LoginController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(SessionService) private readonly sessions: SessionService,
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
    const session = person && (await this.credentials.begin(person, headers['user-agent'], at));
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

/** For the other processes of the instance when Redis does not know; the gateway does not route it. */
@Controller('internal/sessions')
export class InternalSessionsController {
  constructor(@Inject(SessionStates) private readonly states: SessionStates) {}

  @Public()
  @Get(':sid')
  async state(@ValidParams(uuidParams('sid')) { sid }: { sid: string }) {
    return { state: await this.states.stateOf(sid) };
  }
}

@Controller('api/me/sessions')
@OpenToGuests()
export class OwnSessionsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(Env) private readonly env: Env,
    @Inject(Log) private readonly log: Log,
  ) {}

  @Get()
  list(@CurrentCaller() caller: Caller): Promise<OwnSession[]> {
    return ownSessions(this.pool, caller);
  }

  @Delete(':id')
  async end(
    @ValidParams(idParams) { id }: { id: string },
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<{ ended: true }> {
    if (!(await this.sessions.endOwn(caller, id)))
      throw new Rejected('session/not-found', 'not-found', 'There is no such session.');
    if (id === caller.sessionId) answer.header('set-cookie', refreshCookieOf(this.env.PUBLIC_URL).clear());
    this.log.info({ event: 'session-ended', userId: caller.userId, sessionId: id }, 'a session was signed out');
    return { ended: true };
  }
}
