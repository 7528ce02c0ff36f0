import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { resetOf, type StoredReset } from '../across-organisations.query.ts';
import { hashOfMailedToken, invalidLink } from '../mailed-token.client.ts';
import { Passwords } from '../passwords.client.ts';

/** Whose link was opened, and the password that was chosen. */
export type OpenedLink = { readonly person: StoredReset; readonly tokenHash: Buffer; readonly passwordHash: string };

@Injectable()
export class OpenedLinks {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
  ) {}

  /** Throws `Invalid` for a link that leads nowhere and a password that is easily guessed; the link stays as it is. */
  async open(token: string, password: string, at: Date): Promise<OpenedLink> {
    const tokenHash = hashOfMailedToken(token);
    const person = await resetOf(this.pool, tokenHash, at);
    if (!person) throw invalidLink('reset');
    this.passwords.assertHardToGuess(password, person);
    return { person, tokenHash, passwordHash: await this.passwords.hash(password) };
  }
}
