import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { defaultBranding } from '@caravan/contracts/branding';
import type { Branding } from '@caravan/contracts/http/accounts';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Controller, Get, Inject } from '@nestjs/common';

@Controller('api/org/branding')
export class BrandingController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Until an organisation has branded itself it shows its own name in the default colour (3.4). */
  @Get()
  async branding(@CurrentCaller() { orgId }: Caller): Promise<Branding> {
    const { rows } = await tenantQuery<{ name: string }>(
      this.pool,
      orgId,
      'select name from organisations where org_id = $1',
      [orgId],
    );
    return { ...defaultBranding, ...rows[0] };
  }
}
