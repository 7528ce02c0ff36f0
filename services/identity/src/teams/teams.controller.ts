import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import {
  type ChangeTeamRequest,
  changeTeamRequestSchema,
  type FormTeamRequest,
  formTeamRequestSchema,
  type ManagedTeam,
} from '@caravan/contracts/http/organisations';
import { EventStore, type IdempotentRequest } from '@caravan/event-store/event-store';
import { IdempotencyKey } from '@caravan/service-kit/idempotency.decorator';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { idParams, ValidBody, ValidParams } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Patch, Post } from '@nestjs/common';
import { Managing } from '../ports.ts';
import { inOrganisationOrder } from '../organisation-order.ts';
import { teamOf, teamsOf } from './teams.query.ts';

@AdminOnly()
@Controller('api/teams')
export class TeamsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Managing) private readonly managing: Managing,
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
      async (unit) => teamOf(unit.tx, orgId, await this.managing.formTeam(unit, naming)),
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
      await this.managing.changeTeam(unit, id, wish);
      return teamOf(unit.tx, orgId, id);
    });
    // A team's name stands beside its members everywhere.
    this.live.publish(orgId, ['teams', 'members', 'people', 'me']);
    return changed;
  }
}
