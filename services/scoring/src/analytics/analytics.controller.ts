import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { type Analytics, type AnalyticsQuery, analyticsQuerySchema } from '@caravan/contracts/http/analytics';
import { organisationWeekOf } from '@caravan/contracts/domain/time/organisation-zone';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, Inject } from '@nestjs/common';
import { OrganisationWeek } from '../directory/index.ts';
import { analyticsOf } from './analytics.ts';
import { countedOf } from './analytics.query.ts';

@Controller('api/analytics')
@AdminOnly()
export class AnalyticsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  @Get()
  async read(
    @CurrentCaller() { orgId, at }: Caller,
    @ValidQuery(analyticsQuerySchema) { weeks }: AnalyticsQuery,
  ): Promise<Analytics> {
    const zones = await this.week.zonesOf(orgId);
    const period = { monday: organisationWeekOf(zones, at), weeks };
    const counted = await withTenant(this.pool, orgId, (tx) => countedOf(tx, orgId, period, zones));
    return analyticsOf(counted, period);
  }
}
