import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore } from '@caravan/event-store/event-store';
import { Inject, Injectable } from '@nestjs/common';
import { confirmedAddressOf } from '../confirmed-address.ts';
import { Addresses, Mailing, Sessions } from '../ports.ts';
import { recordAct } from '../record-act.query.ts';
import type { OpenedLink } from './opened-link.client.ts';
import { useReset } from './resets.query.ts';

@Injectable()
export class NewPassword {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Addresses) private readonly addresses: Addresses,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Mailing) private readonly mailing: Mailing,
  ) {}

  /**
   * Sets the password of whoever holds a link; every session of theirs ends, and the address counts as confirmed.
   * Throws `Invalid`; then nothing changed.
   */
  async set({ person, tokenHash, passwordHash }: OpenedLink, at: Date): Promise<void> {
    const { orgId, userId, name } = person;
    // Whoever opened the link reads the mail that goes there.
    const to = confirmedAddressOf({ email: person.email, emailConfirmedAt: at });
    const ended = await this.store.transaction(
      { orgId, actorId: userId, at, key: organisationKey(orgId) },
      async (unit) => {
        const { tx } = unit;
        // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
        await tx.query('select es.lock_keys(array[$1])', [orgId]);
        await useReset(tx, person, { tokenHash, passwordHash }, at);
        if (person.role === 'admin') await recordAct(unit, 'access.password-reset');
        await this.addresses.prove(unit, userId);
        await this.mailing.send(tx, orgId, { about: 'password-changed', to, name, at });
        return this.sessions.endAllWithin(tx, person, 'password-reset', at);
      },
    );
    await this.sessions.announceEnds(ended);
  }
}
