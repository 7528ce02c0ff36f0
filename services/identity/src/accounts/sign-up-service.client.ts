import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore, type Tx, type Unit } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import { currentTraceparent } from '@caravan/service-kit/tracing';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses, type OpenSession, Sessions, type SignedInPerson, type TeamRef } from '../ports.ts';
import { emailKeyOf } from '../email-key.ts';
import type { Destination } from './destinations.query.ts';
import { organisationClosed, usedUp } from './joining.ts';
import { OrganisationProvisioner } from './organisation-provisioner.client.ts';

export type NewAccount = {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly timeZone: string;
  readonly userAgent: string | undefined;
};

export type SignedUp = { readonly person: SignedInPerson; readonly team: TeamRef; readonly session: OpenSession };

/** Signs people up: organisation, account, membership and first session stand or fall together. */
@Injectable()
export class SignUpService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(OrganisationProvisioner) private readonly provisioner: OrganisationProvisioner,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Addresses) private readonly addresses: Addresses,
  ) {}

  /** Throws `Rejected`: conflict for a taken address, invalid for an invite that somebody else used up meanwhile. */
  signUp(account: NewAccount, destination: Destination, at: Date): Promise<SignedUp> {
    const { userId, name, email, timeZone, userAgent } = account;
    const { orgId, role, foundAs, inviteId, teamId, heldFor } = destination;
    const isGuest = heldFor.length > 0;
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
      await insertAccount(unit.tx, account, destination, at);
      await this.addresses.ask(unit.tx, { orgId, userId }, email, at);
      if (inviteId !== null) await useInvite(unit.tx, orgId, inviteId, at);
      const team = await this.provisioner.addMember(unit, { userId, name, timeZone, role, teamId }, isGuest);
      const session = await this.sessions.open(unit.tx, { orgId, userId }, userAgent, at);
      return { person: { orgId, userId, name, email, role, profilePhotoUrl: null, isGuest }, team, session };
    });
  }
}

/** The refusal of an address that has an account. Signing up cannot hide it, since it signs in at once. */
export function addressTaken(): Rejected {
  return new Rejected(
    'signup/address-taken',
    'conflict',
    'This email address cannot be used. If it is yours, please sign in.',
  );
}

/** Whoever leaves as the last one closes the organisation: it happens before us, and then we stay out, or after us. */
async function assertOpenStill({ tx, meta }: Unit): Promise<void> {
  await tx.query('select es.lock_keys(array[$1])', [meta.orgId]);
  const { rowCount } = await tx.query('select from organisations where org_id = $1 and closed_at is null', [
    meta.orgId,
  ]);
  if (rowCount === 0) throw organisationClosed();
}

async function insertAccount(tx: Tx, account: NewAccount, { orgId, heldFor }: Destination, at: Date): Promise<void> {
  const { userId, name, email, timeZone, passwordHash } = account;
  await tx.query(
    `insert into persons (org_id, user_id, name, email, time_zone, created_at, held_for)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [orgId, userId, name, email, timeZone, at, heldFor],
  );
  // Of two that come at once the second waits here and then finds the address taken, in whichever organisation.
  const { rowCount } = await tx.query(
    `insert into credentials (org_id, user_id, email_key, password_hash) values ($1, $2, $3, $4)
      on conflict (email_key) do nothing`,
    [orgId, userId, emailKeyOf(email), passwordHash],
  );
  if (rowCount === 0) throw addressTaken();
}

async function useInvite(tx: Tx, orgId: string, inviteId: string, at: Date): Promise<void> {
  const { rowCount } = await tx.query(
    `update invites set uses = uses + 1 where org_id = $1 and invite_id = $2
      and revoked_at is null and expires_at > $3 and (max_uses is null or uses < max_uses)`,
    [orgId, inviteId, at],
  );
  if (rowCount === 0) throw usedUp();
}
