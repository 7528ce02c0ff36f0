import { withTenant } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { resetOf, type StoredReset } from '../across-organisations.query.ts';
import { Mailing, Sessions } from '../doors.ts';
import { Passwords } from '../passwords.client.ts';
import { recordAct } from '../record-act.query.ts';
import { invalidLink } from './invalid-link.ts';
import { hashOfResetToken } from './reset-token.client.ts';
import { useReset } from './resets.query.ts';

@Injectable()
export class NewPassword {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Mailing) private readonly mailing: Mailing,
  ) {}

  /** Sets the password of whoever holds a link; every session of theirs ends. Throws `Invalid`; then nothing changed. */
  async set(token: string, password: string, at: Date): Promise<StoredReset> {
    const tokenHash = hashOfResetToken(token);
    const person = await resetOf(this.pool, tokenHash, at);
    if (!person) throw invalidLink();
    this.passwords.assertHardToGuess(password, person);
    const passwordHash = await this.passwords.hash(password);
    const ended = await withTenant(this.pool, person.orgId, async (tx) => {
      await useReset(tx, person, { tokenHash, passwordHash }, at);
      if (person.role === 'admin')
        await recordAct({ tx, meta: { orgId: person.orgId, actorId: person.userId, at } }, 'access.password-reset');
      await this.mailing.send(tx, person.orgId, { about: 'password-changed', to: person.email, name: person.name, at });
      return this.sessions.endAllWithin(tx, person, 'password-reset', at);
    });
    await this.sessions.announceEnds(ended);
    return person;
  }
}
