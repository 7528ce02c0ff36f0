import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { Pool } from '@caravan/service-kit/pool';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { openBonus } from './open-bonus.query.ts';

@Controller('api/bonus-challenge')
export class BonusChallengeController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Written here, because Nest answers null with nothing: no open one is the JSON `null` (D40). */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  async open(@CurrentCaller() { orgId, userId, at }: Caller): Promise<string> {
    return JSON.stringify((await openBonus(this.pool, { orgId, userId, at })) ?? null);
  }
}
