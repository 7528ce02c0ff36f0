import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Controller, Get, Header, Inject } from '@nestjs/common';

const openSql = `
  select b.challenge_id as id, b.title, b.description, b.activity_type as "activityType",
    b.target_duration_minutes as "targetDurationMinutes", null as "targetDistanceMiles", b.multiplier::float as multiplier,
    b.expires_at as "expiresAt", true as "isActive", c.log_id is not null as "isCompleted"
  from bonus_challenges b
  left join bonus_completions c on c.org_id = b.org_id and c.challenge_id = b.challenge_id and c.user_id = $2
  where b.org_id = $1 and b.closed_at is null and b.expires_at > $3`;

@Controller('api/bonus-challenge')
export class BonusChallengeController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Written here, because Nest answers null with nothing: no open one is the JSON `null` (D40). */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  async open(@CurrentCaller() { orgId, userId, at }: Caller): Promise<string> {
    const { rows } = await tenantQuery<BonusChallenge>(this.pool, orgId, openSql, [orgId, userId, at]);
    return JSON.stringify(rows[0] ?? null);
  }
}
