import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore, type Tx, type Unit } from '@caravan/event-store/event-store';
import { Pool } from '@caravan/service-kit/pool';
import { Invalid } from '@caravan/service-kit/problem';
import { Inject, Injectable } from '@nestjs/common';
import { confirmationOf, credentialOf, isAddressTaken, type LinkHolder } from '../across-organisations.query.ts';
import { confirmedAddressOf, isAtDomain } from '../confirmed-address.ts';
import { type Addresses, Belonging } from '../ports.ts';
import { addressTaken, emailKeyOf } from '../email-key.ts';
import { hashOfMailedToken, invalidLink } from '../mailed-token.client.ts';
import { recordAct } from '../record-act.query.ts';
import {
  type AddressRow,
  askConfirmation,
  dropConfirmation,
  letIn,
  lockedAddress,
  type PersonRef,
  takeAddress,
  useConfirmation,
  withdrawWish,
  writeAddress,
} from './addresses.query.ts';
import { LinkMails } from './link-mails.client.ts';
import { insertUndo } from './undos.query.ts';

/** Whose address is whose: an address counts once a link that was mailed there was opened (ADR 0026). */
@Injectable()
export class EmailAddresses implements Addresses {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Belonging) private readonly belonging: Belonging,
    @Inject(LinkMails) private readonly mails: LinkMails,
  ) {}

  async ask(tx: Tx, person: PersonRef, email: string, at: Date): Promise<void> {
    const askId = await askConfirmation(tx, person, email, at);
    this.mails.confirmation({ orgId: person.orgId, userId: person.userId, askId });
  }

  async want(tx: Tx, person: PersonRef, email: string, at: Date): Promise<void> {
    const own = await lockedAddress(tx, person);
    if (own.emailKey === emailKeyOf(email)) return;
    if (own.heldFor.length > 0 && !isAtDomain(email, own.heldFor)) throw otherDomain(own.heldFor);
    await this.ask(tx, person, email, at);
    await this.tellOldAddress(tx, person, { own, newEmail: email, hasChanged: false }, at);
  }

  async prove(unit: Unit, userId: string): Promise<void> {
    const { tx, meta } = unit;
    const person = { orgId: meta.orgId, userId };
    const own = await lockedAddress(tx, person);
    // A wish for another address was perhaps not the person's own.
    await dropConfirmation(tx, person);
    if (own.emailConfirmedAt !== null) return;
    await writeAddress(tx, person, own.email, meta.at);
    await this.admit(unit, person, own.heldFor, own.email);
  }

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

  /** Opens a mailed link: the address that it was mailed to counts. Throws `Rejected`; then nothing has changed. */
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
      await this.admit(unit, person, own.heldFor, email);
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
    await tx.query('delete from password_resets where org_id = $1 and user_id = $2', [person.orgId, person.userId]);
    await this.tellOldAddress(tx, person, { own, newEmail: email, hasChanged: true }, at);
  }

  /** An address that was never confirmed may be a stranger's: it is told nothing, and cannot undo anything. */
  private async tellOldAddress(
    tx: Tx,
    person: PersonRef,
    { own, newEmail, hasChanged }: { own: AddressRow; newEmail: string; hasChanged: boolean },
    at: Date,
  ): Promise<void> {
    if (confirmedAddressOf(own) === undefined) return;
    const undoId = await insertUndo(tx, person, { old: own, newEmail, hasChanged }, at);
    this.mails.undo({ orgId: person.orgId, undoId });
  }

  private async admit(unit: Unit, person: PersonRef, heldFor: readonly string[], email: string): Promise<void> {
    if (heldFor.length === 0 || !isAtDomain(email, heldFor)) return;
    await letIn(unit.tx, person);
    await this.belonging.admit(unit, person.userId);
  }
}

function otherDomain(domains: readonly string[]): Invalid {
  const message = `Your invite is for addresses at ${domains.join(', ')}`;
  return new Invalid([{ path: 'profile.email', message }], 'invite/other-domain');
}
