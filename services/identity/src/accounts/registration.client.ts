import { randomUUIDv7 } from 'node:crypto';
import type { SignupRequest } from '@caravan/contracts/http/accounts';
import { Inject, Injectable } from '@nestjs/common';
import { Passwords } from '../passwords.client.ts';
import { Destinations } from './destinations.query.ts';
import { type SignedUp, addressTaken, SignUpService } from './sign-up-service.client.ts';

/** Where a sign-up comes from. */
export type SignUpOrigin = { readonly ip: string; readonly userAgent: string | undefined };

@Injectable()
export class Registration {
  constructor(
    @Inject(Destinations) private readonly destinations: Destinations,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(SignUpService) private readonly signUps: SignUpService,
  ) {}

  /** Throws `Rejected`; then nothing was created. */
  async register(request: SignupRequest, { ip, userAgent }: SignUpOrigin, at: Date): Promise<SignedUp> {
    const { name, email, password } = request;
    this.passwords.assertHardToGuess(password, { name, email, organization: request.organizationName });
    const destination = await this.destinations.of(request, ip, at);
    // Hashing is dear: not for an address that cannot be had. Whether it still can is settled by the insert.
    if (await this.destinations.isAddressTaken(email, ip)) throw addressTaken();
    const passwordHash = await this.passwords.hash(password);
    const timeZone = request.timeZone ?? destination.timeZone;
    return this.signUps.signUp(
      { userId: randomUUIDv7(), name, email, passwordHash, timeZone, userAgent },
      destination,
      at,
    );
  }
}
