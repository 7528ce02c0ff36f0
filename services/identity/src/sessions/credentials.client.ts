import { withTenant } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { credentialOf } from '../across-organisations.query.ts';
import type { SignedInPerson } from '../doors.ts';
import { Passwords } from '../passwords.client.ts';

@Injectable()
export class Credentials {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Passwords) private readonly passwords: Passwords,
  ) {}

  /** The person whose address and password these are; undefined for a wrong one of either, in the same time. */
  async personOf(emailKey: string, password: string): Promise<SignedInPerson | undefined> {
    const stored = await credentialOf(this.pool, emailKey);
    const fits = await this.passwords.fits(password, stored?.passwordHash);
    if (!stored || !fits || !stored.isActive) return undefined;
    if (this.passwords.isOutdated(stored.passwordHash)) await this.renew(stored, password);
    const { orgId, userId, name, email, role, profilePhotoUrl } = stored;
    return { orgId, userId, name, email, role, profilePhotoUrl };
  }

  private async renew({ orgId, userId }: { orgId: string; userId: string }, password: string): Promise<void> {
    const passwordHash = await this.passwords.hash(password);
    await withTenant(this.pool, orgId, (tx) =>
      tx.query('update credentials set password_hash = $3 where org_id = $1 and user_id = $2', [
        orgId,
        userId,
        passwordHash,
      ]),
    );
  }
}
