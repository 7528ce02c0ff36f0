import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { isFromOwnPages } from '@caravan/auth/cookies';
import { Public } from '@caravan/auth/access.decorator';
import { bearerOf, TokenVerifier } from '@caravan/auth/token-verifier';
import { emptyBodySchema, type SessionAnswer } from '@caravan/contracts/http/accounts';
import { Rejected } from '@caravan/event-store/rejected';
import { Env } from '@caravan/service-kit/env';
import { Log } from '@caravan/service-kit/log';
import { logSecurity } from '@caravan/service-kit/security-log';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityEnv } from '../env.ts';
import { readRefreshToken, type RefreshToken } from './refresh-token.client.ts';
import { SessionKeeping } from './session-keeping.client.ts';

type SessionRef = { readonly orgId: string; readonly sessionId: string };

/** The two operations that a cookie authenticates, and nothing else (S09). */
@Controller('api')
export class SessionsController {
  constructor(
    @Inject(SessionKeeping) private readonly sessions: SessionKeeping,
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
