import { organisationKey, type OrganisationKey } from '@caravan/contracts/fact-key';
import { EventStore, type Unit } from '@caravan/event-store/event-store';
import { Inject, Injectable } from '@nestjs/common';
import { Belonging, Founding, type NewMember, type TeamRef } from '../ports.ts';

/** Provides who signs up with a place: an organisation with its two teams where there is none yet, and a team in it. */
@Injectable()
export class OrganisationProvisioner {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Founding) private readonly founding: Founding,
    @Inject(Belonging) private readonly belonging: Belonging,
  ) {}

  /** An organisation with its two teams; false when it exists already. */
  provision(orgId: string, naming: { name: string; timeZone: string }, at: Date): Promise<boolean> {
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    return this.store.transaction(meta, (unit) => this.provisionWithin(unit, naming));
  }

  /** The same inside a transaction that stands. */
  async provisionWithin(unit: Unit<OrganisationKey>, naming: { name: string; timeZone: string }): Promise<boolean> {
    const isNew = await this.founding.found(unit, naming);
    if (isNew) await this.belonging.formFirstTeams(unit);
    return isNew;
  }

  /** @param isGuest the address has to be confirmed before the organisation lets them in */
  async addMember(unit: Unit<OrganisationKey>, member: NewMember, isGuest: boolean): Promise<TeamRef> {
    const team = await this.belonging.join(unit, member);
    if (isGuest) await this.belonging.hold(unit, member.userId);
    return team;
  }
}
