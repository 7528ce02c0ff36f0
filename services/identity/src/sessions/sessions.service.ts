import type { Caller } from '@caravan/auth/claims';
import { refreshCookieOf } from '@caravan/auth/cookies';
import type { SessionSource, SessionState } from '@caravan/auth/session-liveness';
import { personKey } from '@caravan/contracts/events/fact-key';
import type { SessionAnswer } from '@caravan/contracts/http/accounts';
import { EventStore, type Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { nameSubject } from '@caravan/service-kit/telemetry/request-context';
import type { HeaderSink } from '@caravan/service-kit/telemetry/request-context';
import { Inject, Injectable } from '@nestjs/common';
import { recordAct } from '../audit/index.ts';
import { credentialOf, Passwords } from '../credentials/index.ts';
import type { StoredCredential } from '../credentials/index.ts';
import type { IdentityEnv } from '../env.ts';
import { KeyRing } from '../signing-keys/index.ts';
import { memberSignedIn } from './public-events.ts';
import { firstToken, refreshKeyOf, sessionOfToken } from './refresh-tokens.store.ts';
import type { RefreshToken } from './refresh-tokens.store.ts';
import type { EndReason, OpenSession, SignedInPerson } from './session-rules.ts';
import { SessionEnds } from './session-ends.service.ts';
import { isStillProven, lockPerson, openSession, refreshSession, renewPasswordHash } from './sessions.store.ts';
import type { Refreshed } from './sessions.store.ts';
import { sessionStateOf } from './sessions.system.store.ts';

// Enough to recognise a browser by; the header may be of any length.
const deviceCharacters = 200;

/** Rows, the state that every process looks up, a cookie and a token. */
@Injectable()
export class SessionService {
  readonly cookie: ReturnType<typeof refreshCookieOf>;
  private readonly refreshKey: Buffer;
  private readonly addresses: PhotoAddresses;

  constructor(
    @Inject(Env) env: IdentityEnv,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(KeyRing) private readonly keyRing: KeyRing,
    @Inject(SessionEnds) private readonly ends: SessionEnds,
  ) {
    this.cookie = refreshCookieOf(env.PUBLIC_URL);
    this.refreshKey = refreshKeyOf(env.KEY_ENCRYPTION_KEY);
    this.addresses = new PhotoAddresses(env.PHOTO_ADDRESS_KEY);
  }

  open(
    tx: Tx,
    person: { orgId: string; userId: string },
    userAgent: string | undefined,
    at: Date,
  ): Promise<OpenSession> {
    const device = (userAgent ?? '').slice(0, deviceCharacters);
    return openSession(tx, person, { device, token: firstToken(person.orgId), ends: this.ends }, at);
  }

  /** After the commit: announces the session, sets the cookie, issues the token. */
  async issueSession(
    session: OpenSession,
    person: SignedInPerson,
    answer: HeaderSink,
    at: Date,
  ): Promise<SessionAnswer> {
    const { orgId, userId, role, name, email, isGuest } = person;
    const { sessionId } = session;
    const profilePhotoUrl = ownFace(this.addresses, person.profilePhotoUrl, { orgId, at });
    await Promise.all([this.ends.announceStart(sessionId), this.ends.waitUntilAnnounced()]);
    nameSubject(userId);
    answer.header('set-cookie', this.cookie.write(session.refreshToken, session.idleAt));
    const token = await this.keyRing.issue({ userId, orgId, sessionId, role, isGuest }, at);
    return { token, user: { id: userId, name, email, role, profilePhotoUrl } };
  }

  /** One that came again too late ends its session everywhere. */
  async refresh(token: RefreshToken, at: Date): Promise<Refreshed> {
    const refreshed = await withTenant(this.pool, token.orgId, (tx) =>
      refreshSession(tx, token, { refreshKey: this.refreshKey, ends: this.ends }, at),
    );
    await this.ends.waitUntilAnnounced();
    return refreshed;
  }

  sessionOf(token: RefreshToken): Promise<string | undefined> {
    return withTenant(this.pool, token.orgId, (tx) => sessionOfToken(tx, token));
  }

  async end(orgId: string, sessionId: string, reason: EndReason, at: Date): Promise<void> {
    await withTenant(this.pool, orgId, (tx) => this.ends.endOne(tx, { orgId, sessionId }, reason, at));
    // Also when it had ended before: whoever repeats a logout wants to be sure.
    await this.ends.announce([sessionId]);
  }

  /** False: it is no session of theirs, or is over. */
  async endOwn({ orgId, userId, at }: Caller, sessionId: string): Promise<boolean> {
    const hasEnded = await withTenant(this.pool, orgId, (tx) => this.ends.endOwn(tx, { orgId, userId }, sessionId, at));
    await this.ends.waitUntilAnnounced();
    return hasEnded;
  }

  async endAllOf(person: { orgId: string; userId: string }, reason: EndReason, at: Date): Promise<void> {
    await withTenant(this.pool, person.orgId, (tx) => this.ends.endAllOf(tx, person, reason, at));
    await this.ends.waitUntilAnnounced();
  }

  /** Inside the transaction of what ends them; they are announced after the commit. Answers their ids. */
  endAllWithin(
    tx: Tx,
    person: { orgId: string; userId: string },
    reason: EndReason,
    at: Date,
  ): Promise<readonly string[]> {
    return this.ends.endAllOf(tx, person, reason, at);
  }

  /** For an answer after which no token of an ended session may pass anywhere. Never rejects. */
  endsAnnounced(): Promise<void> {
    return this.ends.waitUntilAnnounced();
  }
}

/** A person's own picture, as their profile shows it: large. */
export const ownFace = (
  addresses: PhotoAddresses,
  objectPath: string | null,
  reading: { readonly orgId: string; readonly at: Date },
): string | null => addresses.face(objectPath, reading, 280);

@Injectable()
export class SessionStates implements SessionSource {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SessionEnds) private readonly ends: SessionEnds,
  ) {}

  async stateOf(sessionId: string): Promise<SessionState> {
    const state = await sessionStateOf(this.pool, sessionId, new Date());
    if (state === 'live') void this.ends.announceStart(sessionId);
    return state;
  }
}

export type ProvenPerson = SignedInPerson & { readonly passwordHash: string };

@Injectable()
export class Credentials {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(EventStore) private readonly store: EventStore,
  ) {}

  /** Undefined for a wrong one of either, in the same time. Throws `Rejected` when the account is deactivated. */
  async personOf(emailKey: string, password: string): Promise<ProvenPerson | undefined> {
    const stored = await credentialOf(this.pool, emailKey);
    const fits = await this.passwords.fits(password, stored?.passwordHash);
    if (!stored || !fits) return undefined;
    if (!stored.mayEnter) throw deactivatedRefusal();
    const { orgId, userId, name, email, role, profilePhotoUrl, isGuest } = stored;
    const isOutdated = this.passwords.isOutdated(stored.passwordHash);
    const passwordHash = isOutdated ? await this.renew(stored, password) : stored.passwordHash;
    return { orgId, userId, name, email, role, profilePhotoUrl, isGuest, passwordHash };
  }

  /** Undefined when the password was changed, or the person deactivated, since the proof. */
  begin(person: ProvenPerson, userAgent: string | undefined, at: Date): Promise<OpenSession | undefined> {
    const { orgId, userId, role, isGuest } = person;
    return this.store.transaction({ orgId, actorId: userId, at, key: personKey(userId) }, async (unit) => {
      await lockPerson(unit.tx, person);
      if (!(await isStillProven(unit.tx, person))) return undefined;
      if (role === 'admin') await recordAct(unit, 'access.signed-in');
      if (!isGuest) await unit.publish(memberSignedIn(userId, at));
      return this.sessions.open(unit.tx, person, userAgent, at);
    });
  }

  private async renew({ orgId, userId, passwordHash: old }: StoredCredential, password: string): Promise<string> {
    const passwordHash = await this.passwords.hash(password);
    await withTenant(this.pool, orgId, (tx) => renewPasswordHash(tx, { orgId, userId }, { passwordHash, old }));
    return passwordHash;
  }
}

function deactivatedRefusal(): Rejected {
  return new Rejected(
    'login/deactivated',
    'unauthenticated',
    'This account has been deactivated. Please ask an admin of your organization.',
  );
}
