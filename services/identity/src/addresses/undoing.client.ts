import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore } from '@caravan/event-store/event-store';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { undoOf, type LinkHolder } from '../across-organisations.query.ts';
import { PasswordLinks, Sessions } from '../ports.ts';
import { hashOfMailedToken, invalidLink } from '../mailed-token.client.ts';
import { recordAct } from '../record-act.query.ts';
import { dropConfirmation, lockedAddress, takeAddress, writeAddress } from './addresses.query.ts';
import { replacePassword, useUndo } from './undos.query.ts';

/** The way back to one's old address. */
@Injectable()
export class Undoing {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(PasswordLinks) private readonly passwordLinks: PasswordLinks,
  ) {}

  /**
   * Gives an account its old address back. Whoever changed it knows the password, so that fits no more either: sessions
   * end, wishes are void, and a link to set a new password is mailed to the old address. Throws `Rejected`.
   */
  async undo(token: string, at: Date): Promise<LinkHolder> {
    const tokenHash = hashOfMailedToken(token);
    const person = await undoOf(this.pool, tokenHash, at);
    if (!person) throw invalidLink('email');
    const nobodys = await this.passwordLinks.nobodysPassword();
    const { orgId, userId } = person;
    const ended = await this.store.transaction(
      { orgId, actorId: userId, at, key: organisationKey(orgId) },
      async (unit) => {
        const { tx } = unit;
        await tx.query('select es.lock_keys(array[$1])', [orgId]);
        const own = await lockedAddress(tx, person);
        const { email, emailKey } = await useUndo(tx, person, { tokenHash, at });
        if (emailKey !== own.emailKey) await takeAddress(tx, person, emailKey);
        await writeAddress(tx, person, email, at);
        await dropConfirmation(tx, person);
        await replacePassword(tx, person, nobodys);
        if (own.role === 'admin') await recordAct(unit, 'access.address-restored');
        return this.sessions.endAllWithin(tx, person, 'address-restored', at);
      },
    );
    await this.sessions.announceEnds(ended);
    await this.passwordLinks.mailTo(person.email, at);
    return person;
  }
}
