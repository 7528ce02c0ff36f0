import { randomUUIDv7 } from 'node:crypto';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import type { OrganisationKey } from '@caravan/contracts/events/fact-key';
import type { SignupRequest } from '@caravan/contracts/http/accounts';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Unit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { Live } from '@caravan/service-kit/live/live';
import { currentTraceparent } from '@caravan/service-kit/telemetry/tracing';
import { Inject, Injectable } from '@nestjs/common';
import { AddressService } from '../addresses/index.ts';
import { Passwords } from '../credentials/index.ts';
import { useInvite } from '../invites/index.ts';
import { formFirstTeams, holdMember, joinOrganisation } from '../membership/index.ts';
import type { NewMember, TeamRef } from '../membership/index.ts';
import { foundOrganisation } from '../organisations/index.ts';
import { SessionService } from '../sessions/index.ts';
import type { OpenSession, SignedInPerson } from '../sessions/index.ts';
import { storeAccount } from './accounts.store.ts';
import { organisationClosed, usedUp } from './joining.ts';
import { OrganisationResolver } from './organisation-resolver.service.ts';
import type { Destination } from './organisation-resolver.service.ts';
import { inviteUsed } from './public-events.ts';

/** An organisation with its two teams where there is none yet, and a team in it. */
@Injectable()
export class OrganisationProvisioner {
  constructor(@Inject(EventStore) private readonly store: EventStore) {}

  provision(orgId: string, naming: { name: string; timeZone: string }, at: Date): Promise<boolean> {
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    return this.store.transaction(meta, (unit) => this.provisionWithin(unit, naming));
  }

  async provisionWithin(unit: Unit<OrganisationKey>, naming: { name: string; timeZone: string }): Promise<boolean> {
    const isNew = await foundOrganisation(unit, naming);
    if (isNew) await formFirstTeams(unit);
    return isNew;
  }

  /** @param isGuest the address has to be confirmed before the organisation lets them in */
  async addMember(unit: Unit<OrganisationKey>, member: NewMember, isGuest: boolean): Promise<TeamRef> {
    const team = await joinOrganisation(unit, member);
    if (isGuest) await holdMember(unit, member.userId);
    return team;
  }
}

export type NewAccount = {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly timeZone: string;
  readonly userAgent: string | undefined;
};

export type SignedUp = { readonly person: SignedInPerson; readonly team: TeamRef; readonly session: OpenSession };

/** Organisation, account, membership and first session stand or fall together. */
@Injectable()
export class AccountCreation {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(OrganisationProvisioner) private readonly provisioner: OrganisationProvisioner,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(AddressService) private readonly addresses: AddressService,
  ) {}

  /** Throws `Rejected`: a taken address, an invite that was used up meanwhile. */
  create(account: NewAccount, destination: Destination, at: Date): Promise<SignedUp> {
    const { userId, name, email, timeZone, userAgent } = account;
    const { orgId, role, foundAs, inviteId, teamId, pendingDomains } = destination;
    const isGuest = pendingDomains.length > 0;
    const traceparent = currentTraceparent();
    const meta = {
      orgId,
      actorId: userId,
      at,
      key: organisationKey(orgId),
      ...(traceparent !== undefined && { traceparent }),
    };
    return this.store.transaction(meta, async (unit) => {
      if (foundAs !== null)
        await this.provisioner.provisionWithin(unit, { name: foundAs, timeZone: destination.timeZone });
      else await assertOpenStill(unit);
      const isStored = await storeAccount(
        unit.tx,
        { orgId, userId, name, email, passwordHash: account.passwordHash, timeZone, pendingDomains },
        at,
      );
      if (!isStored) throw addressTaken();
      await this.addresses.ask(unit.tx, { orgId, userId }, email, at);
      const invite = inviteId === null ? null : await useInvite(unit, inviteId);
      if (invite === undefined) throw usedUp();
      const team = await this.provisioner.addMember(unit, { userId, name, timeZone, role, teamId }, isGuest);
      // After the joining, so that consumers know the newcomer.
      if (invite) await unit.publish(inviteUsed({ ...invite, userId }, at));
      const session = await this.sessions.open(unit.tx, { orgId, userId }, userAgent, at);
      return { person: { orgId, userId, name, email, role, profilePhotoUrl: null, isGuest }, team, session };
    });
  }
}

export type SignUpOrigin = { readonly ip: string; readonly userAgent: string | undefined };

@Injectable()
export class SignUpService {
  constructor(
    @Inject(OrganisationResolver) private readonly organisations: OrganisationResolver,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(AccountCreation) private readonly accounts: AccountCreation,
    @Inject(Live) private readonly live: Live,
  ) {}

  async signUp(request: SignupRequest, { ip, userAgent }: SignUpOrigin, at: Date): Promise<SignedUp> {
    const { name, email, password } = request;
    this.passwords.assertHardToGuess(password, { name, email, organization: request.organizationName });
    const destination = await this.organisations.resolve(request, ip, at);
    // Hashing is dear. Whether the address can still be had is settled by the insert.
    if (await this.organisations.isAddressTaken(email, ip)) throw addressTaken();
    const passwordHash = await this.passwords.hash(password);
    const timeZone = request.timeZone ?? destination.timeZone;
    const account = { userId: randomUUIDv7(), name, email, passwordHash, timeZone, userAgent };
    const signedUp = await this.accounts.create(account, destination, at);
    this.live.publish(destination.orgId, ['members', 'teams']);
    return signedUp;
  }
}

/** Signing up cannot hide that an address has an account: it signs in at once. */
export function addressTaken(): Rejected {
  return new Rejected(
    'email/address-taken',
    'conflict',
    'This email address cannot be used. If it is yours, please sign in.',
  );
}

/** The last member who leaves closes the organisation: before this sign-up, which is refused, or after it. */
async function assertOpenStill({ tx, meta }: Unit): Promise<void> {
  await tx.query('select es.lock_keys(array[$1])', [meta.orgId]);
  const { rowCount } = await tx.query('select from organisations where org_id = $1 and closed_at is null', [
    meta.orgId,
  ]);
  if (rowCount === 0) throw organisationClosed();
}
