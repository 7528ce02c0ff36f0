import { emailKeyOf, isAtDomain, shownDomain } from '@caravan/contracts/domain/text/email-address';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Tx, Unit } from '@caravan/event-store/core/event-store';
import { Live } from '@caravan/service-kit/live/live';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Invalid } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';
import { recordAct } from '../audit/index.ts';
import { credentialOf } from '../credentials/index.ts';
import { confirmedAddressOf, hashOfMailedToken, invalidLink } from '../mail/index.ts';
import { admitMember } from '../membership/index.ts';
import { LinkMails } from './address-mails.job.ts';
import {
  addressTaken,
  askConfirmation,
  dropConfirmation,
  forgetPasswordResets,
  insertUndo,
  letIn,
  lockedAddress,
  takeAddress,
  useConfirmation,
  withdrawWish,
  writeAddress,
} from './addresses.store.ts';
import type { AddressRow, PersonRef } from './addresses.store.ts';
import { confirmationOf, isAddressTaken } from './addresses.system.store.ts';
import type { LinkHolder } from './addresses.system.store.ts';

/** Whose address is whose: an address counts once a link that was mailed there was opened (ADR 0026). */
@Injectable()
export class AddressService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(LinkMails) private readonly mails: LinkMails,
  ) {}

  /** Inside the transaction. Throws `Rejected` (too-many) after three mails in an hour. */
  async ask(tx: Tx, person: PersonRef, email: string, at: Date): Promise<void> {
    const requestId = await askConfirmation(tx, person, email, at);
    this.mails.confirmation(tx, { orgId: person.orgId, userId: person.userId, requestId });
  }

  /** The new address is asked to confirm, the old one stays and is told. Throws `Rejected`. */
  async want(tx: Tx, person: PersonRef, email: string, at: Date): Promise<void> {
    const own = await lockedAddress(tx, person);
    if (own.emailKey === emailKeyOf(email)) return;
    if (own.pendingDomains.length > 0 && !isAtDomain(email, own.pendingDomains)) throw otherDomain(own.pendingDomains);
    await this.ask(tx, person, email, at);
    await this.tellOldAddress(tx, person, { own, newEmail: email, hasChanged: false }, at);
  }

  /** Whoever used a link mailed to their address owns it; a wish for another one is void. */
  async prove(unit: Unit, userId: string): Promise<void> {
    const { tx, meta } = unit;
    const person = { orgId: meta.orgId, userId };
    const own = await lockedAddress(tx, person);
    await dropConfirmation(tx, person);
    if (own.emailConfirmedAt !== null) return;
    await writeAddress(tx, person, own.email, meta.at);
    await this.admit(unit, person, own.pendingDomains, own.email);
  }

  /** By the operator, without a mail. False when nobody has it. */
  async vouchFor(email: string, at: Date): Promise<boolean> {
    const person = await credentialOf(this.pool, emailKeyOf(email));
    if (!person) return false;
    const { orgId, userId } = person;
    await this.store.transaction({ orgId, actorId: null, at, key: organisationKey(orgId) }, async (unit) => {
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      await this.prove(unit, userId);
    });
    return true;
  }

  async confirm(token: string, at: Date): Promise<LinkHolder> {
    const tokenHash = hashOfMailedToken(token);
    const person = await confirmationOf(this.pool, tokenHash, at);
    if (!person) throw invalidLink('email');
    const { orgId, userId } = person;
    if (await isAddressTaken(this.pool, emailKeyOf(person.email), userId)) throw addressTaken();
    await this.store.transaction({ orgId, actorId: userId, at, key: organisationKey(orgId) }, async (unit) => {
      const { tx } = unit;
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await tx.query('select es.lock_keys(array[$1])', [orgId]);
      const own = await lockedAddress(tx, person);
      const { email, emailKey } = await useConfirmation(tx, person, { tokenHash, at });
      if (emailKey !== own.emailKey) {
        await this.move(tx, person, { own, email, emailKey }, at);
        if (own.role === 'admin') await recordAct(unit, 'access.address-changed');
      }
      await writeAddress(tx, person, email, at);
      await this.admit(unit, person, own.pendingDomains, email);
    });
    return person;
  }

  async withdraw(tx: Tx, person: PersonRef, at: Date): Promise<void> {
    await withdrawWish(tx, person, await lockedAddress(tx, person), at);
  }

  private async move(
    tx: Tx,
    person: PersonRef,
    { own, email, emailKey }: { own: AddressRow; email: string; emailKey: string },
    at: Date,
  ): Promise<void> {
    await takeAddress(tx, person, emailKey);
    // A link that went to the old address must not open the account any more.
    await forgetPasswordResets(tx, person);
    await this.tellOldAddress(tx, person, { own, newEmail: email, hasChanged: true }, at);
  }

  /** A never confirmed address may be a stranger's: it is told nothing and undoes nothing. */
  private async tellOldAddress(
    tx: Tx,
    person: PersonRef,
    { own, newEmail, hasChanged }: { own: AddressRow; newEmail: string; hasChanged: boolean },
    at: Date,
  ): Promise<void> {
    if (confirmedAddressOf(own) === undefined) return;
    const undoId = await insertUndo(tx, person, { old: own, newEmail, hasChanged }, at);
    this.mails.undo(tx, { orgId: person.orgId, undoId });
  }

  private async admit(unit: Unit, person: PersonRef, pendingDomains: readonly string[], email: string): Promise<void> {
    if (pendingDomains.length === 0 || !isAtDomain(email, pendingDomains)) return;
    await letIn(unit.tx, person);
    await admitMember(unit, person.userId);
  }
}

/** After the commit. */
@Injectable()
export class AddressNotifier {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  announceConfirmation({ orgId, userId }: PersonRef): void {
    this.show(orgId, userId);
    this.log.info({ event: 'email-confirmed', userId }, 'an address was confirmed');
  }

  announceUndo({ orgId, userId }: PersonRef): void {
    this.show(orgId, userId);
    this.log.warn({ event: 'email-change-undone', userId }, 'the change of an address was undone');
  }

  withdrawn({ orgId, userId }: PersonRef): void {
    this.live.publish(orgId, ['me'], { to: userId });
  }

  private show(orgId: string, userId: string): void {
    this.live.publish(orgId, ['me'], { to: userId });
    // A guest who is let in joins a team before everybody's eyes.
    this.live.publish(orgId, ['members', 'teams', 'people']);
  }
}

function otherDomain(domains: readonly string[]): Invalid {
  const message = `Your invite is for addresses at ${domains.map(shownDomain).join(', ')}`;
  return new Invalid([{ path: 'profile.email', message }], 'invite/other-domain');
}
