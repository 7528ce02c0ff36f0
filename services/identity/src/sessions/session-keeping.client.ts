import { refreshCookieOf } from '@caravan/auth/cookies';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import type { SessionAnswer } from '@caravan/contracts/http/accounts';
import type { Tx } from '@caravan/event-store/event-store';
import { withTenant } from '@caravan/event-store/postgres';
import { Env } from '@caravan/service-kit/env';
import { Pool } from '@caravan/service-kit/pool';
import { type HeaderSink, nameSubject } from '@caravan/service-kit/request-context';
import { Inject, Injectable } from '@nestjs/common';
import { AccessTokens, type EndReason, type OpenSession, type Sessions, type SignedInPerson } from '../ports.ts';
import type { IdentityEnv } from '../env.ts';
import { recordAct } from '../record-act.query.ts';
import type { ProvenPerson } from './credentials.client.ts';
import { type RefreshToken, RefreshTokens } from './refresh-token.client.ts';
import {
  endSessions,
  endSessionsOf,
  isStillProven,
  lockPerson,
  openSession,
  type Refreshed,
  refreshSession,
  sessionOfToken,
} from './sessions.query.ts';

// Enough to recognise a browser by; the header may be of any length.
const deviceCharacters = 200;

/** What a session is for the world: rows, the state that every process looks up, a cookie and a token. */
@Injectable()
export class SessionKeeping implements Sessions {
  readonly cookie: ReturnType<typeof refreshCookieOf>;
  private readonly refreshTokens: RefreshTokens;

  constructor(
    @Inject(Env) env: IdentityEnv,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(RedisSessionCache) private readonly cache: RedisSessionCache,
    @Inject(AccessTokens) private readonly accessTokens: AccessTokens,
  ) {
    this.cookie = refreshCookieOf(env.PUBLIC_URL);
    this.refreshTokens = new RefreshTokens(env.KEY_ENCRYPTION_KEY);
  }

  /** Undefined when the password was changed, or the person deactivated, since the proof. */
  begin(person: ProvenPerson, userAgent: string | undefined, at: Date): Promise<OpenSession | undefined> {
    return withTenant(this.pool, person.orgId, async (tx) => {
      await lockPerson(tx, person);
      if (!(await isStillProven(tx, person))) return undefined;
      const { orgId, userId: actorId, role } = person;
      if (role === 'admin') await recordAct({ tx, meta: { orgId, actorId, at } }, 'access.signed-in');
      return this.open(tx, person, userAgent, at);
    });
  }

  open(
    tx: Tx,
    person: { orgId: string; userId: string },
    userAgent: string | undefined,
    at: Date,
  ): Promise<OpenSession> {
    const device = (userAgent ?? '').slice(0, deviceCharacters);
    return openSession(tx, person, { device, token: this.refreshTokens.first(person.orgId) }, at);
  }

  async issueSession(
    session: OpenSession,
    person: SignedInPerson,
    answer: HeaderSink,
    at: Date,
  ): Promise<SessionAnswer> {
    const { orgId, userId, role, name, email, profilePhotoUrl, isGuest } = person;
    const { sessionId } = session;
    await Promise.all([this.cache.putLive(sessionId), this.announceEnds(session.displaced)]);
    nameSubject(userId);
    answer.header('set-cookie', this.cookie.write(session.refreshToken, session.idleAt));
    const token = await this.accessTokens.issue({ userId, orgId, sessionId, role, isGuest }, at);
    return { token, user: { id: userId, name, email, role, profilePhotoUrl } };
  }

  /** Exchanges a refresh token; one that came again too late ends its session everywhere. */
  async refresh(token: RefreshToken, at: Date): Promise<Refreshed> {
    const refreshed = await withTenant(this.pool, token.orgId, (tx) =>
      refreshSession(tx, token, this.refreshTokens, at),
    );
    if (refreshed.is === 'reused') await this.announceEnds([refreshed.sessionId]);
    return refreshed;
  }

  sessionOf(token: RefreshToken): Promise<string | undefined> {
    return withTenant(this.pool, token.orgId, (tx) => sessionOfToken(tx, token));
  }

  async end(orgId: string, sessionId: string, reason: EndReason, at: Date): Promise<void> {
    await withTenant(this.pool, orgId, (tx) => endSessions(tx, orgId, [sessionId], { reason, at }));
    // Also when it had ended before: the first announcement may have been lost.
    await this.announceEnds([sessionId]);
  }

  async endAllOf(person: { orgId: string; userId: string }, reason: EndReason, at: Date): Promise<void> {
    await this.announceEnds(
      await withTenant(this.pool, person.orgId, (tx) => this.endAllWithin(tx, person, reason, at)),
    );
  }

  async endAllWithin(
    tx: Tx,
    person: { orgId: string; userId: string },
    reason: EndReason,
    at: Date,
  ): Promise<readonly string[]> {
    return endSessionsOf(tx, person, reason, at);
  }

  /** While Redis is away nobody hears it, and everybody asks the database. */
  async announceEnds(sessionIds: readonly string[]): Promise<void> {
    await this.cache.putEnded(sessionIds).catch(() => undefined);
  }
}
