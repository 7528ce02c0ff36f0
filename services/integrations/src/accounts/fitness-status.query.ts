import type { FitnessStatus } from '@caravan/contracts/http/fitness';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';

type Account = { provider: 'strava' | 'fitbit'; providerUserId: string; lastSyncedAt: Date | null };

/** Which fitness platforms a member has connected. */
@Injectable()
export class FitnessStatusQuery {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async read({ orgId, userId }: { orgId: string; userId: string }): Promise<FitnessStatus> {
    const { rows } = await tenantQuery<Account>(
      this.pool,
      orgId,
      `select provider, provider_user_id as "providerUserId", last_synced_at as "lastSyncedAt"
       from provider_accounts where org_id = $1 and user_id = $2`,
      [orgId, userId],
    );
    const idAt = (name: Account['provider']) => rows.find(({ provider }) => provider === name)?.providerUserId ?? null;
    const synced = rows.flatMap(({ lastSyncedAt }) => lastSyncedAt ?? []).sort((a, b) => b.getTime() - a.getTime());
    const [athleteId, fitbitUserId] = [idAt('strava'), idAt('fitbit')];
    return {
      strava: { connected: athleteId !== null, athleteId },
      fitbit: { connected: fitbitUserId !== null, userId: fitbitUserId },
      lastSyncDate: synced[0]?.toISOString() ?? null,
    };
  }
}
