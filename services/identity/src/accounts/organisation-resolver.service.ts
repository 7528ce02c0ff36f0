import { randomUUIDv7 } from 'node:crypto';
import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import type { Role } from '@caravan/contracts/events/fields';
import { organisationZoneAt, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { isAddressTaken } from '../addresses/index.ts';
import { Attempts } from '../credentials/index.ts';
import type { IdentityEnv } from '../env.ts';
import { inviteOf } from '../invites/index.ts';
import { zonesSql } from '../organisations/index.ts';
import { assertUsable, joiningOf } from './joining.ts';

export type Destination = {
  readonly orgId: string;
  readonly role: Role;
  readonly timeZone: string;
  readonly foundAs: string | null;
  readonly inviteId: string | null;
  readonly teamId: string | null;
  /** A guest until an address at one of these domains is confirmed. */
  readonly pendingDomains: readonly string[];
};

type Wish = {
  name: string;
  email: string;
  invite?: string | undefined;
  organizationName?: string | undefined;
  timeZone?: string | undefined;
};

@Injectable()
export class OrganisationResolver {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(Attempts) private readonly attempts: Attempts,
  ) {}

  /** Throws `Rejected`: a bad invite, guessed ones, no default organisation yet. */
  async resolve(wish: Wish, ip: string, at: Date): Promise<Destination> {
    const { DEFAULT_ORGANISATION_ID: defaultOrganisationId, ALLOW_FOUNDING: allowFounding } = this.env;
    const joining = joiningOf(wish, { defaultOrganisationId, allowFounding });
    switch (joining.to) {
      case 'invited':
        return this.attempts.fromAddress(ip, () => this.destinationOfInvite(joining.code, wish.email, at));
      case 'default':
        return this.default(joining.orgId, at);
      case 'founded':
        return {
          orgId: randomUUIDv7(),
          role: 'admin',
          timeZone: wish.timeZone ?? 'UTC',
          foundAs: joining.name,
          inviteId: null,
          teamId: null,
          pendingDomains: [],
        };
    }
  }

  isAddressTaken(email: string, ip: string): Promise<boolean> {
    const emailKey = emailKeyOf(email);
    return this.attempts.probe(ip, emailKey, () => isAddressTaken(this.pool, emailKey));
  }

  private async destinationOfInvite(code: string, email: string, at: Date): Promise<Destination> {
    const invite = await inviteOf(this.pool, code);
    assertUsable(invite, email, at);
    const { orgId, zones, inviteId, teamId, domains } = invite;
    const timeZone = organisationZoneAt(zones, at);
    return { orgId, role: 'member', timeZone, foundAs: null, inviteId, teamId, pendingDomains: domains };
  }

  private async default(orgId: string, at: Date): Promise<Destination> {
    const { rows } = await tenantQuery<{ zones: ZoneHistory }>(
      this.pool,
      orgId,
      `select ${zonesSql} as zones from organisations o where org_id = $1`,
      [orgId],
    );
    const [organisation] = rows;
    if (!organisation) {
      throw new Rejected(
        'signup/no-default-organisation',
        'unavailable',
        'Signing up is not possible yet. Please try again.',
      );
    }
    return {
      orgId,
      role: 'member',
      timeZone: organisationZoneAt(organisation.zones, at),
      foundAs: null,
      inviteId: null,
      teamId: null,
      pendingDomains: [],
    };
  }
}
