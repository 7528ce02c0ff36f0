import type { Tx } from '@caravan/event-store/event-store';
import { withSystem, withTenant } from '@caravan/event-store/postgres';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Claims, teamKey } from './claims.client.ts';

const sweepMilliseconds = 500;

type Doubt = {
  readonly orgId: string;
  readonly entryId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly weekStartsOn: string;
};
type Standing = { readonly userId: string; readonly challengeId: string; readonly teamId: string };

/** Looks again at claimed bonuses once miles were taken back from their week (D8). */
@Injectable()
export class Doubts implements OnApplicationBootstrap, OnModuleDestroy {
  private sweeper: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Claims) private readonly claims: Claims,
    @Inject(Log) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeper = setInterval(() => {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
    }, sweepMilliseconds);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.sweeper);
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    try {
      const { rows } = await withSystem(this.pool, (tx) =>
        tx.last<Doubt>(
          `select org_id as "orgId", entry_id as "entryId", user_id as "userId", team_id as "teamId",
             week_starts_on as "weekStartsOn" from claims_in_doubt order by entry_id limit 100`,
          [],
        ),
      );
      for (const doubt of rows) await this.settle(doubt);
    } catch (error) {
      this.log.debug({ err: error }, 'claims in doubt wait');
    }
  }

  /** Every claim is looked at under its own locks; the doubt goes last, so that a killed process leaves it to the next. */
  private async settle(doubt: Doubt): Promise<void> {
    const { orgId } = doubt;
    const standing = await withTenant(this.pool, orgId, (tx) => claimsOf(tx, doubt));
    for (const { userId, ...claim } of standing) await this.claims.reconsider({ orgId, userId }, claim, new Date());
    await withTenant(this.pool, orgId, (tx) =>
      tx.query('delete from claims_in_doubt where org_id = $1 and entry_id = $2', [orgId, doubt.entryId]),
    );
  }
}

async function claimsOf(tx: Tx, { orgId, userId, teamId, weekStartsOn }: Doubt): Promise<Standing[]> {
  // Whoever is claiming right now is waited for.
  await tx.query('select es.lock_keys($1)', [[userId, teamKey(teamId)]]);
  const { rows } = await tx.query<Standing>(
    `select c.user_id as "userId", c.challenge_id as "challengeId", c.team_id as "teamId"
     from weekly_claims c join weekly_challenges w on w.org_id = c.org_id and w.challenge_id = c.challenge_id
     where c.org_id = $1 and c.week_starts_on = $2 and c.is_claimed
       and ((w.challenge_type = 'individual' and c.user_id = $3) or (w.challenge_type = 'team' and c.team_id = $4))
     order by c.user_id`,
    [orgId, weekStartsOn, userId, teamId],
  );
  return rows;
}
