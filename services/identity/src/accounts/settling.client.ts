import type { OrganisationKey } from '@caravan/contracts/fact-key';
import type { Unit } from '@caravan/event-store/event-store';
import { Inject, Injectable } from '@nestjs/common';
import { Belonging, Founding, type NewMember, type TeamRef } from '../ports.ts';

/** Gives newcomers a place: an organisation with its two teams where there is none yet, and a team in it. */
@Injectable()
export class Settling {
  constructor(
    @Inject(Founding) private readonly founding: Founding,
    @Inject(Belonging) private readonly belonging: Belonging,
  ) {}

  /** False when the organisation exists already. */
  async found(unit: Unit<OrganisationKey>, naming: { name: string; timeZone: string }): Promise<boolean> {
    const isNew = await this.founding.found(unit, naming);
    if (isNew) await this.belonging.formFirstTeams(unit);
    return isNew;
  }

  /** @param isGuest the address has to be confirmed before the organisation lets them in */
  async join(unit: Unit<OrganisationKey>, member: NewMember, isGuest: boolean): Promise<TeamRef> {
    const team = await this.belonging.join(unit, member);
    if (isGuest) await this.belonging.hold(unit, member.userId);
    return team;
  }
}
