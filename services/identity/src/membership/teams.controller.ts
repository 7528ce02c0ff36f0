import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { changeTeamRequestSchema, formTeamRequestSchema } from '@caravan/contracts/http/organisations';
import type { ChangeTeamRequest, FormTeamRequest, ManagedTeam } from '@caravan/contracts/http/organisations';
import { EventStore } from '@caravan/event-store/event-store';
import type { IdempotentRequest } from '@caravan/event-store/event-store';
import { IdempotencyKey } from '@caravan/service-kit/idempotency.decorator';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { idParams, ValidBody, ValidParams } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Patch, Post } from '@nestjs/common';
import { inOrganisationOrder } from '../organisations/index.ts';
import { adminService } from './admin.service.ts';
import { teamOf, teamsOf } from './teams.query.ts';

@AdminOnly()
@Controller('api/teams')
export class TeamsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Get()
  teams(@CurrentCaller() { orgId }: Caller): Promise<ManagedTeam[]> {
    return teamsOf(this.pool, orgId);
  }

  @Post()
  async form(
    @ValidBody(formTeamRequestSchema) naming: FormTeamRequest,
    @CurrentCaller() { orgId, meta }: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<ManagedTeam> {
    const formed = await this.store.transaction(
      inOrganisationOrder(meta),
      async (unit) => teamOf(unit.tx, orgId, await adminService.formTeam(unit, naming)),
      request,
    );
    this.live.publish(orgId, ['teams']);
    return formed;
  }

  @Patch(':id')
  async change(
    @ValidParams(idParams) { id }: { id: string },
    @ValidBody(changeTeamRequestSchema) wish: ChangeTeamRequest,
    @CurrentCaller() { orgId, meta }: Caller,
  ): Promise<ManagedTeam> {
    const changed = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      await adminService.changeTeam(unit, id, wish);
      return teamOf(unit.tx, orgId, id);
    });
    // A team's name stands beside its members everywhere.
    this.live.publish(orgId, ['teams', 'members', 'people', 'me']);
    return changed;
  }
}
