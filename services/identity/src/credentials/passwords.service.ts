import { availableParallelism } from 'node:os';
import type { Caller } from '@caravan/auth/claims';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Invalid } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { IdentityEnv } from '../env.ts';
import { Attempts } from './attempts.service.ts';
import { CommonPasswords } from './common-passwords.client.ts';
import { isEasilyGuessed } from './weak-password.ts';
import type { PasswordContext } from './weak-password.ts';

/** OWASP's minimum for argon2id (the library's default): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// One core stays for the event loop: a login must not make everybody wait.
const atOnce = Math.max(1, availableParallelism() - 1);
// About ten seconds of hashing; whoever comes later is better told so.
const atMostWaiting = 500;

@Injectable()
export class Passwords {
  private readonly common = new CommonPasswords();
  /** How often a hash was computed, for a new password or to check one. */
  hashesComputed = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  // Checked in place of an account that does not exist, so that both take the same time.
  private readonly nobodys = this.hash('a password that nobody has');

  constructor(
    @Inject(Env) private readonly env: Pick<IdentityEnv, 'PASSWORD_CHECK'>,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Throws `Invalid` where the instance blocks such passwords (S13). */
  assertHardToGuess(password: string, context: PasswordContext): void {
    if (this.env.PASSWORD_CHECK === 'off' || !this.isEasilyGuessed(password, context)) return;
    if (this.env.PASSWORD_CHECK === 'warn')
      return this.log.warn({ event: 'weak-password' }, 'a weak password was chosen');
    const message = 'This password is easily guessed. Please choose another one.';
    throw new Invalid([{ path: 'password', message }], 'password/easily-guessed');
  }

  hash(password: string): Promise<string> {
    return this.withSlot(() => hash(password, parameters));
  }

  /** Whether a password fits a hash; without a hash it never does, in the same time. */
  async fits(password: string, passwordHash: string | undefined): Promise<boolean> {
    const fits = await this.fitsHash(password, passwordHash ?? (await this.nobodys));
    return fits && passwordHash !== undefined;
  }

  isOutdated(passwordHash: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
    return (
      memoryCost !== parameters.memoryCost || timeCost !== parameters.timeCost || parallelism !== parameters.parallelism
    );
  }

  private isEasilyGuessed(password: string, context: PasswordContext): boolean {
    return isEasilyGuessed(password, context) || this.common.isOneOf(password);
  }

  private fitsHash(password: string, passwordHash: string): Promise<boolean> {
    return this.withSlot(() => verify(passwordHash, password));
  }

  private async withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= atOnce) {
      if (this.waiting.length >= atMostWaiting) {
        throw new Rejected('auth/too-busy', 'unavailable', 'Too many people are signing in. Please try again.', {
          retryAfterSeconds: 5,
        });
      }
      await new Promise<void>((start) => this.waiting.push(start));
    } else this.running += 1;
    this.hashesComputed += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

type PasswordField = { readonly address: string; readonly field: string };

@Injectable()
export class OwnPassword {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(Attempts) private readonly attempts: Attempts,
  ) {}

  /** Guesses count like failed sign-ins. Throws `Rejected`: invalid for a wrong password, too-many after ten. */
  async assertIs({ orgId, userId }: Caller, password: string, from: PasswordField): Promise<void> {
    const { rows } = await tenantQuery<{ emailKey: string; passwordHash: string }>(
      this.pool,
      orgId,
      'select email_key, password_hash from credentials where org_id = $1 and user_id = $2',
      [orgId, userId],
    );
    const stored = rows[0];
    const fits = await this.attempts.atAccount(stored?.emailKey ?? userId, { ip: from.address }, async () =>
      (await this.passwords.fits(password, stored?.passwordHash)) ? true : undefined,
    );
    if (!fits) throw new Invalid([{ path: from.field, message: 'The password is wrong.' }], 'me/wrong-password');
  }
}
