import { withTenant } from '@caravan/event-store/postgres';
import { Rejected } from '@caravan/event-store/rejected';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { credentialOf, type StoredCredential } from '../across-organisations.query.ts';
import type { SignedInPerson } from '../ports.ts';
import { Passwords } from '../passwords.client.ts';

/** Somebody who proved who they are by a password, whose hash this is. */
export type ProvenPerson = SignedInPerson & { readonly passwordHash: string };

@Injectable()
export class Credentials {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
  ) {}

  /**
   * The person whose address and password these are; undefined for a wrong one of either, in the same time. Throws
   * `Rejected` when they are right and the account is deactivated: nobody else learns that.
   */
  async personOf(emailKey: string, password: string): Promise<ProvenPerson | undefined> {
    const stored = await credentialOf(this.pool, emailKey);
    const fits = await this.passwords.fits(password, stored?.passwordHash);
    if (!stored || !fits) return undefined;
    if (!stored.mayEnter) throw deactivated();
    const { orgId, userId, name, email, role, profilePhotoUrl, isGuest } = stored;
    const isOutdated = this.passwords.isOutdated(stored.passwordHash);
    const passwordHash = isOutdated ? await this.renew(stored, password) : stored.passwordHash;
    return { orgId, userId, name, email, role, profilePhotoUrl, isGuest, passwordHash };
  }

  private async renew({ orgId, userId, passwordHash: old }: StoredCredential, password: string): Promise<string> {
    const passwordHash = await this.passwords.hash(password);
    await withTenant(this.pool, orgId, (tx) =>
      // Not over one that was set meanwhile.
      tx.query('update credentials set password_hash = $3 where org_id = $1 and user_id = $2 and password_hash = $4', [
        orgId,
        userId,
        passwordHash,
        old,
      ]),
    );
    return passwordHash;
  }
}

function deactivated(): Rejected {
  return new Rejected(
    'login/deactivated',
    'unauthenticated',
    'This account has been deactivated. Please ask an admin of your organisation.',
  );
}
