import type { Caller } from '@caravan/auth/claims';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Invalid } from '@caravan/service-kit/problem';
import { Inject, Injectable } from '@nestjs/common';
import { Attempts } from './attempts.client.ts';
import { Passwords } from './passwords.client.ts';

/** Where a password came from: the client's address, and the field of the body. */
type PasswordField = { readonly address: string; readonly field: string };

/** Asks the signed-in person for their password again. */
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
      'select email_key as "emailKey", password_hash as "passwordHash" from credentials where org_id = $1 and user_id = $2',
      [orgId, userId],
    );
    const stored = rows[0];
    const fits = await this.attempts.atAccount(stored?.emailKey ?? userId, { ip: from.address }, async () =>
      (await this.passwords.fits(password, stored?.passwordHash)) ? true : undefined,
    );
    if (!fits) throw new Invalid([{ path: from.field, message: 'The password is wrong.' }], 'me/wrong-password');
  }
}
