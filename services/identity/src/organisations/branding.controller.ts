import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { OpenToGuests } from '@caravan/auth/access.decorator';
import type { Branding } from '@caravan/contracts/http/accounts';
import { Pool } from '@caravan/service-kit/pool';
import { Controller, Get, Inject } from '@nestjs/common';
import { brandingOf } from './company.query.ts';

@Controller('api/org/branding')
@OpenToGuests()
export class BrandingController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  branding(@CurrentCaller() { orgId }: Caller): Promise<Branding> {
    return brandingOf(this.pool, orgId);
  }
}
