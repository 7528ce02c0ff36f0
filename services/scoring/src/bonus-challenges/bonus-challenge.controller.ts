import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Header, Inject, type OnModuleInit } from '@nestjs/common';
import { completersOf, openBonus } from './bonus-challenges.query.ts';

/** The open bonus challenge for who asks; for open pages what it is, and whose miles it has multiplied (design/live-pages.md). */
@Controller('api/bonus-challenge')
export class BonusChallengeController implements OnModuleInit {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
  ) {}

  onModuleInit(): void {
    this.live.compose('bonus', (asked) => this.bonus(asked));
  }

  /** Written here, because Nest answers null with nothing: no open one is the JSON `null` (D40). */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  async open(@CurrentCaller() { orgId, userId, at }: Caller): Promise<string> {
    return JSON.stringify((await openBonus(this.pool, { orgId, userId, at })) ?? null);
  }

  private async bonus({ orgId, at, readers, isForAll, persons, wanted }: Asked): Promise<Composed<'bonus'>> {
    const found = await openBonus(this.pool, { orgId, userId: strangerId, at });
    if (!found) return { all: { open: null, isCompleted: false } };
    const { isCompleted: _strangers, ...open } = found;
    const whose = isForAll ? readers : [...persons, ...wanted];
    const to = await completersOf(this.pool, { orgId, challengeId: open.id, readers: whose });
    return {
      all: { open, isCompleted: false },
      some: [
        { to: [...persons], data: { open, isCompleted: false } },
        { to, data: { open, isCompleted: true } },
      ],
    };
  }
}
