import { randomBytes } from 'node:crypto';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import {
  AddressService,
  dropConfirmation,
  lockedAddress,
  replacePassword,
  takeAddress,
  undoOf,
  useUndo,
  writeAddress,
} from '../addresses/index.ts';
import type { LinkHolder } from '../addresses/index.ts';
import { recordAct } from '../audit/index.ts';
import { Passwords } from '../credentials/index.ts';
import { confirmedAddressOf, hashOfMailedToken, invalidLink, MailService } from '../mail/index.ts';
import { SessionService } from '../sessions/index.ts';
import { mailResetLink } from './reset-mails.job.ts';
import { insertRequest, useReset } from './resets.store.ts';
import { resetOf } from './resets.system.store.ts';
import type { StoredReset } from './resets.system.store.ts';

/** Whether anybody has the address is looked up by the job (S16). */
@Injectable()
export class PasswordLinks {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Passwords) private readonly passwords: Passwords,
  ) {}

  /** Of a password that nobody knows: until one is set by a mailed link, none fits. */
  nobodysPassword(): Promise<string> {
    return this.passwords.hash(randomBytes(32).toString('base64'));
  }

  /** Does the same for every address. */
  async mailTo(email: string, at: Date): Promise<void> {
    const requestId = await insertRequest(this.pool, email, at);
    void this.jobs.enqueueOrKeep(mailResetLink, { requestId }, { key: requestId });
  }
}

export type OpenedLink = { readonly person: StoredReset; readonly tokenHash: Buffer; readonly passwordHash: string };

@Injectable()
export class OpenedLinks {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
  ) {}

  /** Throws `Invalid` for the link or the password; the link stays as it is. */
  async open(token: string, password: string, at: Date): Promise<OpenedLink> {
    const tokenHash = hashOfMailedToken(token);
    const person = await resetOf(this.pool, tokenHash, at);
    if (!person) throw invalidLink('reset');
    this.passwords.assertHardToGuess(password, person);
    return { person, tokenHash, passwordHash: await this.passwords.hash(password) };
  }
}

@Injectable()
export class PasswordReset {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(AddressService) private readonly addresses: AddressService,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  /** Every session ends, the address counts as confirmed. Throws `Invalid`; then nothing changed. */
  async set({ person, tokenHash, passwordHash }: OpenedLink, at: Date): Promise<void> {
    const { orgId, userId, name } = person;
    // Whoever opened the link reads the mail that goes there.
    const to = confirmedAddressOf({ email: person.email, emailConfirmedAt: at });
    await this.store.transaction({ orgId, actorId: userId, at, key: organisationKey(orgId) }, async (unit) => {
      const { tx } = unit;
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await tx.query('select es.lock_keys(array[$1])', [orgId]);
      await useReset(tx, person, { tokenHash, passwordHash }, at);
      if (person.role === 'admin') await recordAct(unit, 'access.password-reset');
      await this.addresses.prove(unit, userId);
      await this.mails.send(tx, orgId, { about: 'password-changed', to, name, at });
      await this.sessions.endAllWithin(tx, person, 'password-reset', at);
    });
    await this.sessions.endsAnnounced();
  }
}

@Injectable()
export class AddressUndo {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(PasswordLinks) private readonly passwordLinks: PasswordLinks,
  ) {}

  /** Whoever changed it knows the password: sessions end, a new one is set by a link. Throws `Rejected`. */
  async undo(token: string, at: Date): Promise<LinkHolder> {
    const tokenHash = hashOfMailedToken(token);
    const person = await undoOf(this.pool, tokenHash, at);
    if (!person) throw invalidLink('email');
    const nobodys = await this.passwordLinks.nobodysPassword();
    const { orgId, userId } = person;
    await this.store.transaction({ orgId, actorId: userId, at, key: organisationKey(orgId) }, async (unit) => {
      const { tx } = unit;
      await tx.query('select es.lock_keys(array[$1])', [orgId]);
      const own = await lockedAddress(tx, person);
      const { email, emailKey } = await useUndo(tx, person, { tokenHash, at });
      if (emailKey !== own.emailKey) await takeAddress(tx, person, emailKey);
      await writeAddress(tx, person, email, at);
      await dropConfirmation(tx, person);
      await replacePassword(tx, person, nobodys);
      if (own.role === 'admin') await recordAct(unit, 'access.address-restored');
      await this.sessions.endAllWithin(tx, person, 'address-restored', at);
    });
    await this.sessions.endsAnnounced();
    await this.passwordLinks.mailTo(person.email, at);
    return person;
  }
}
