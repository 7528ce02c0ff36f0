import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import {
  type Company,
  type CompanySetupRequest,
  companySetupRequestSchema,
} from '@caravan/contracts/http/organisations';
import { EventStore, type IdempotentRequest } from '@caravan/event-store/event-store';
import { BodyLimit } from '@caravan/service-kit/body-limit.decorator';
import { IdempotencyKey } from '@caravan/service-kit/idempotency.decorator';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { inOrganisationOrder } from '../organisation-order.ts';
import { companyOf, setUpCompany } from './company.query.ts';
import { Logos } from './logo.client.ts';

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
  company(@CurrentCaller() { orgId }: Caller): Promise<Company> {
    return companyOf(this.pool, orgId);
  }

  @Post('setup')
  @HttpCode(200)
  @BodyLimit(1024 * 1024)
  async setUp(
    @ValidBody(companySetupRequestSchema) { logoUrl, ...company }: CompanySetupRequest,
    @CurrentCaller() { orgId, meta }: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Company> {
    const logo = await this.logoFrom(logoUrl, orgId);
    const setUp = await this.store.transaction(
      inOrganisationOrder(meta),
      (unit) => setUpCompany(unit, { ...company, logo }),
      request,
    );
    this.live.publish(orgId, ['branding']);
    return setUp;
  }

  /** The logo that it has already is not written anew: each time would cost a little of it. */
  private async logoFrom(sent: string | null | undefined, orgId: string): Promise<string | null | undefined> {
    if (sent === undefined || sent === null) return undefined;
    if (sent === '') return null;
    const { logoUrl } = await companyOf(this.pool, orgId);
    return sent === logoUrl ? undefined : this.logos.logoOf(sent);
  }
}
