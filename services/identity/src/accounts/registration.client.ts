import { randomUUIDv7 } from 'node:crypto';
import type { SignupRequest } from '@caravan/contracts/http/accounts';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { isAddressTaken } from '../across-organisations.query.ts';
import { emailKeyOf } from '../email-key.ts';
import { Passwords } from '../passwords.client.ts';
import { Destinations } from './destinations.query.ts';
import { type Admitted, addressTaken, Newcomers } from './newcomers.query.ts';

@Injectable()
export class Registration {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Destinations) private readonly destinations: Destinations,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(Newcomers) private readonly newcomers: Newcomers,
  ) {}

  /** Throws `Rejected`; then nothing was created. */
  async register(request: SignupRequest, userAgent: string | undefined, at: Date): Promise<Admitted> {
    const { name, email, password } = request;
    this.passwords.assertHardToGuess(password, { name, email, organization: request.organizationName });
    const destination = await this.destinations.of(request, at);
    // Hashing is dear: not for an address that cannot be had. Whether it still can is settled by the insert.
    if (await isAddressTaken(this.pool, emailKeyOf(email))) throw addressTaken();
    const passwordHash = await this.passwords.hash(password);
    const timeZone = request.timeZone ?? destination.timeZone;
    return this.newcomers.admit(
      { userId: randomUUIDv7(), name, email, passwordHash, timeZone, userAgent },
      destination,
      at,
    );
  }
}
