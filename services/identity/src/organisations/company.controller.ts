import { AdminOnly, OpenToGuests } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { Branding } from '@caravan/contracts/http/accounts';
import { companySetupRequestSchema, streakRuleSchema } from '@caravan/contracts/http/organisations';
import type { Company, CompanySetupRequest, StreakRule } from '@caravan/contracts/http/organisations';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { BodyLimit } from '@caravan/service-kit/http/request-body.decorator';
import { IfMatch } from '@caravan/service-kit/http/if-match.decorator';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';
import { Logos } from './logo.client.ts';
import { brandingOf, companyOf, inOrganisationOrder, setUpCompany, switchStreakFreezes } from './organisation.store.ts';

@AdminOnly()
@Controller('api/company')
export class CompanyController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(Logos) private readonly logos: Logos,
  ) {}

  @Get()
  company(@CurrentCaller() { orgId, at }: Caller): Promise<Company> {
    return companyOf(this.pool, orgId, at);
  }

  @Post('setup')
  @HttpCode(200)
  @BodyLimit(1024 * 1024)
  async setUp(
    @ValidBody(companySetupRequestSchema) { logoUrl, ...company }: CompanySetupRequest,
    @CurrentCaller() { orgId, meta }: Caller,
    @IfMatch() seen: string | undefined,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Company> {
    const logo = await this.logoFrom(logoUrl, orgId, meta.at);
    const setUp = await this.store.transaction(
      inOrganisationOrder(meta),
      (unit) => setUpCompany(unit, { ...company, logo }, seen),
      request,
    );
    this.live.publish(orgId, ['branding']);
    return setUp;
  }

  /** The logo that it has already is not written anew: each time would cost a little of it. */
  private async logoFrom(sent: string | null | undefined, orgId: string, at: Date): Promise<string | null | undefined> {
    if (sent === undefined || sent === null) return undefined;
    if (sent === '') return null;
    const { logoUrl } = await companyOf(this.pool, orgId, at);
    return sent === logoUrl ? undefined : this.logos.logoOf(sent);
  }
}

@Controller('api/org/branding')
@OpenToGuests()
export class BrandingController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  branding(@CurrentCaller() { orgId }: Caller): Promise<Branding> {
    return brandingOf(this.pool, orgId);
  }
}

@AdminOnly()
@Controller('api/company/streaks')
export class StreaksController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Put()
  async switchFreezes(
    @ValidBody(streakRuleSchema) { hasFreezes }: StreakRule,
    @CurrentCaller() { orgId, meta }: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<StreakRule> {
    const rule = await this.store.transaction(
      inOrganisationOrder(meta),
      (unit) => switchStreakFreezes(unit, hasFreezes),
      request,
    );
    this.live.publish(orgId, ['me', 'people']);
    return rule;
  }
}
