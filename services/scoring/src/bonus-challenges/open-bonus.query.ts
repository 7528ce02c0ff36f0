import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import { strangerId } from '@caravan/contracts/unnamed';
import { tenantQuery } from '@caravan/event-store/postgres';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

const openSql = `
  select b.challenge_id as id, b.title, b.description, b.activity_type as "activityType",
    b.target_duration_minutes as "targetDurationMinutes", null as "targetDistanceMiles", b.multiplier::float as multiplier,
    b.expires_at as "expiresAt", true as "isActive", c.log_id is not null as "isCompleted"
  from bonus_challenges b
  left join bonus_completions c on c.org_id = b.org_id and c.challenge_id = b.challenge_id and c.user_id = $2
  where b.org_id = $1 and b.closed_at is null and b.expires_at > $3`;

const completedSql = `
  select user_id as "userId" from bonus_completions where org_id = $1 and challenge_id = $2 and user_id = any($3::uuid[])`;

/** The open bonus challenge as somebody meets it; undefined where there is none. */
export async function openBonus(
  pool: Pool,
  { orgId, userId, at }: { orgId: string; userId: string; at: Date },
): Promise<BonusChallenge | undefined> {
  return (await tenantQuery<BonusChallenge>(pool, orgId, openSql, [orgId, userId, at])).rows[0];
}

/** Composes for open pages the challenge that multiplies miles, and for whom it concerns whether theirs have been (ADR 0036). */
@Injectable()
export class LiveBonus implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  onModuleInit(): void {
    this.live.compose('bonus', (asked) => this.bonus(asked));
  }

  private async bonus({ orgId, at, readers, isForAll, persons, wanted }: Asked): Promise<Composed<'bonus'>> {
    const found = await openBonus(this.pool, { orgId, userId: strangerId, at });
    if (!found) return { all: { open: null, isCompleted: false } };
    const { isCompleted: _strangers, ...open } = found;
    const whose = isForAll ? readers : [...persons, ...wanted];
    const values = [orgId, open.id, whose];
    const { rows } = await tenantQuery<{ userId: string }>(this.pool, orgId, completedSql, values);
    const to = rows.map(({ userId }) => userId);
    return {
      all: { open, isCompleted: false },
      some: [
        { to: [...persons], data: { open, isCompleted: false } },
        { to, data: { open, isCompleted: true } },
      ],
    };
  }
}
