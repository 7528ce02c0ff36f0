import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { publicJwkSchema } from '@caravan/auth/jwks';
import type { KeySource, PublicJwk } from '@caravan/auth/jwks';
import { tokenAlgorithm, tokenType } from '@caravan/auth/token-verifier';
import type { Role } from '@caravan/contracts/events/fields';
import { Env } from '@caravan/service-kit/process/env';
import type { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { isAway } from '@caravan/kernel/problem';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { seal, unseal } from '@caravan/service-kit/http/sealing';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { SignJWT } from 'jose';
import type { IdentityEnv } from '../env.ts';
import { dueSteps } from './rotation.ts';
import type { RotationSchedule } from './rotation.ts';
import { changeKeys, storedKeys } from './signing-keys.system.store.ts';
import type { SealedKey, StoredKey } from './signing-keys.system.store.ts';

// Whoever is let in has the token of a member after this long at most.
const guestMinutes = 5;

type ErrandHolder = { userId: string; orgId: string; role: Role; errandId: string };
/** Services are asked at once, and answer within half a minute. */
const errandMinutes = 2;

type TokenHolder = { userId: string; orgId: string; sessionId: string; role: Role; isGuest?: boolean };

const minuteSeconds = 60;
const daySeconds = 86_400;
// A verifier keeps what it fetched for 10 minutes: twice that, and some.
const publishedAheadSeconds = 30 * minuteSeconds;
const checkSeconds = 60;
// Another process may sign with the old key until it looks again, and clocks differ.
const delaySeconds = checkSeconds + 4 * minuteSeconds;

/** Injection token of when keys change; `checkSeconds`: how often each process looks. */
export const KeySchedule = Symbol('KeySchedule');
export type KeySchedule = RotationSchedule & { readonly checkSeconds: number };

export const keyScheduleOf = (env: IdentityEnv): KeySchedule => ({
  activeSeconds: env.SIGNING_KEY_DAYS * daySeconds,
  publishedAheadSeconds,
  verifyOnlySeconds: env.ACCESS_TOKEN_MINUTES * minuteSeconds + delaySeconds,
  checkSeconds,
});

/** Signs with the active key and vouches for all. */
@Injectable()
export class KeyRing implements KeySource, OnModuleInit, OnModuleDestroy {
  private publicKeys = new Map<string, KeyObject>();
  private published: readonly PublicJwk[] = [];
  private active: { kid: string; privateKey: KeyObject } | undefined;
  private readAt = -Infinity;
  private readonly log: Log;
  private readonly checks: Repeating;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(KeySchedule) private readonly schedule: KeySchedule,
    @Inject(Sweeps) { background, log }: Sweeps,
  ) {
    this.log = log;
    this.checks = new Repeating({
      background,
      name: 'identity.signing-keys',
      everyMilliseconds: schedule.checkSeconds * 1_000,
      work: () => this.checkAgain(),
    });
  }

  async onModuleInit(): Promise<void> {
    // A database that is not there yet is waited for; a key that cannot be opened stops the start.
    await this.check().catch((error: unknown) => {
      if (!isAway(error)) throw error;
    });
    // Every process must look for itself, and the first makes the change: no job needed.
    this.checks.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.checks.stop();
  }

  /** Makes the changes that are due and takes over what the others made. */
  async check(): Promise<void> {
    const at = new Date();
    const due = (keys: readonly StoredKey[]) => dueSteps(keys, at, this.schedule);
    const keys = await storedKeys(this.pool);
    if (due(keys).length === 0) return this.hold(keys);
    this.hold(await changeKeys(this.pool, at, due, () => makeSealedKey(randomUUID(), this.env.KEY_ENCRYPTION_KEY)));
    this.log.info({ kid: this.active?.kid }, 'signing keys changed');
  }

  private async checkAgain(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      this.log.error({ err: error }, 'signing keys could not be checked');
      throw error;
    }
  }

  /** Takes over what there is; a request that only reads makes no key. */
  private async read(): Promise<void> {
    this.hold(await storedKeys(this.pool));
  }

  async jwks(): Promise<{ keys: readonly PublicJwk[] }> {
    if (!this.active) await this.read();
    return { keys: this.published };
  }

  async keyOf(kid: string): Promise<KeyObject | undefined> {
    // Another process may have rotated a moment ago.
    if (!this.publicKeys.has(kid) && performance.now() - this.readAt > this.schedule.checkSeconds * 1_000)
      await this.read();
    return this.publicKeys.get(kid);
  }

  /** A guest's token lives a few minutes: soon the person is one no more. */
  issue(holder: TokenHolder, at: Date): Promise<string> {
    const { userId, sessionId: sid, orgId: org, role, isGuest = false } = holder;
    const minutes = isGuest ? Math.min(guestMinutes, this.env.ACCESS_TOKEN_MINUTES) : this.env.ACCESS_TOKEN_MINUTES;
    return this.sign({ sid, org, role, ...(isGuest && { guest: true }) }, { userId, at, minutes });
  }

  /** For background work: it depends on no session, and opens only what is open to errands. */
  issueErrand({ userId, orgId: org, role, errandId }: ErrandHolder, at: Date): Promise<string> {
    return this.sign({ sid: errandId, org, role, errand: 'my-data' }, { userId, at, minutes: errandMinutes });
  }

  private async sign(
    claims: Record<string, unknown>,
    { userId, at, minutes }: { readonly userId: string; readonly at: Date; readonly minutes: number },
  ): Promise<string> {
    if (!this.active) await this.check();
    if (!this.active) throw new Error('There is no active signing key');
    const issuedAt = Math.floor(at.getTime() / 1_000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid: this.active.kid })
      .setSubject(userId)
      .setIssuer(this.env.JWT_ISSUER)
      .setAudience(this.env.JWT_AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + minutes * 60)
      .setJti(randomUUID())
      .sign(this.active.privateKey);
  }

  private hold(keys: readonly StoredKey[]): void {
    const active = keys.find(({ state }) => state === 'active');
    this.publicKeys = new Map(
      keys.map(({ kid, publicJwk }) => [kid, createPublicKey({ key: publicJwk, format: 'jwk' })]),
    );
    this.published = keys.map(({ publicJwk }) => publicJwk);
    if (active && active.kid !== this.active?.kid) {
      const privateKey = openSealedKey(active.kid, active.sealed, this.env.KEY_ENCRYPTION_KEY);
      this.active = { kid: active.kid, privateKey };
    }
    this.readAt = performance.now();
  }
}

/** Makes an ES256 key pair whose private half only `key` (32 bytes) opens. */
export function makeSealedKey(kid: string, key: Buffer): SealedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicJwkSchema.parse({
    ...publicKey.export({ format: 'jwk' }),
    alg: tokenAlgorithm,
    use: 'sig',
    kid,
  });
  // The kid is sealed in: a private half cannot be passed off as another key's.
  return { kid, publicJwk, sealed: seal(privateKey.export({ type: 'pkcs8', format: 'der' }), key, kid) };
}

export function openSealedKey(kid: string, sealed: Buffer, key: Buffer): KeyObject {
  return createPrivateKey({ key: unseal(sealed, key, kid), type: 'pkcs8', format: 'der' });
}
