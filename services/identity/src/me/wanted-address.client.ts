import type { Caller } from '@caravan/auth/claims';
import type { SettingsRequest } from '@caravan/contracts/http/people';
import { Pool } from '@caravan/service-kit/pool';
import { Invalid } from '@caravan/service-kit/problem';
import { Inject, Injectable } from '@nestjs/common';
import { isAddressTaken } from '../across-organisations.query.ts';
import { Attempts } from '../attempts.client.ts';
import { addressTaken, emailKeyOf, isSameAddress } from '../email-key.ts';
import { OwnPassword } from '../own-password.client.ts';
import { ownSettings } from './own-account.query.ts';

/** Whether somebody may want another address. */
@Injectable()
export class WantedAddresses {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(OwnPassword) private readonly ownPassword: OwnPassword,
  ) {}

  /**
   * The address that a settings body wants instead of the own one. Whoever found a session open does not know the
   * password: without it, 422. Each wish sends mails and tells whether an address is taken, so none is to be had without
   * end. Throws `Rejected`.
   */
  async in(request: SettingsRequest, caller: Caller, ip: string): Promise<string | undefined> {
    const email = request.profile?.email;
    if (email === undefined) return undefined;
    const { profile } = await ownSettings(this.pool, caller);
    if (isSameAddress(profile.email, email)) return undefined;
    await this.attempts.asked(caller.userId, ip);
    const password = request.currentPassword ?? request.profile?.currentPassword;
    if (password === undefined) throw passwordNeeded();
    await this.ownPassword.assertIs(caller, password, { address: ip, field: 'currentPassword' });
    const key = emailKeyOf(email);
    if (await this.attempts.probe(ip, key, () => isAddressTaken(this.pool, key, caller.userId))) throw addressTaken();
    return email;
  }
}

function passwordNeeded(): Invalid {
  const message = 'Please enter your current password to change your email address.';
  return new Invalid([{ path: 'currentPassword', message }], 'settings/password-needed');
}
