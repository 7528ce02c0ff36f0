import { randomUUIDv7 } from 'node:crypto';
import type { SignupRequest } from '@caravan/contracts/http/accounts';
import { Inject, Injectable } from '@nestjs/common';
import { Passwords } from '../passwords.client.ts';
import { Destinations } from './destinations.query.ts';
import { type Admitted, addressTaken, Newcomers } from './newcomers.query.ts';

/** Where a newcomer asks from. */
export type Newcomer = { readonly ip: string; readonly userAgent: string | undefined };

@Injectable()
export class Registration {
  constructor(
    @Inject(Destinations) private readonly destinations: Destinations,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(Newcomers) private readonly newcomers: Newcomers,
  ) {}

  /** Throws `Rejected`; then nothing was created. */
  async register(request: SignupRequest, { ip, userAgent }: Newcomer, at: Date): Promise<Admitted> {
    const { name, email, password } = request;
    this.passwords.assertHardToGuess(password, { name, email, organization: request.organizationName });
    const destination = await this.destinations.of(request, ip, at);
    // Hashing is dear: not for an address that cannot be had. Whether it still can is settled by the insert.
    if (await this.destinations.isAddressTaken(email, ip)) throw addressTaken();
    const passwordHash = await this.passwords.hash(password);
    const timeZone = request.timeZone ?? destination.timeZone;
    return this.newcomers.admit(
      { userId: randomUUIDv7(), name, email, passwordHash, timeZone, userAgent },
      destination,
      at,
    );
  }
}
