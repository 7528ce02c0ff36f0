import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { removeClaimReview } from './claim-reviews.store.ts';
import { ClaimsService, teamKey } from './claims.service.ts';
import { type PendingClaimReview, pendingClaimReviews } from './weeks.system.query.ts';

const sweepMilliseconds = 500;

type ClaimedBonus = { readonly userId: string; readonly challengeId: string; readonly teamId: string };

@Injectable()
export class ClaimReviewQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeps: Repeating;
  private readonly rows: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ClaimsService) private readonly claims: ClaimsService,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    const { background } = sweeps;
    this.rows = sweeps.of('scoring.pending-claim-reviews');
    this.sweeps = new Repeating({
      background,
      name: 'scoring.pending-claim-reviews',
      everyMilliseconds: sweepMilliseconds,
      work: () => this.sweep(),
    });
  }

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeps.stop();
  }

  private sweep(): Promise<void> {
    return this.rows.look(async () => {
      await this.rows.each(
        await pendingClaimReviews(this.pool, this.rows.resting()),
        ({ entryId }) => entryId,
        (review) => this.settle(review),
      );
    });
  }

  /** Each claim under its own locks; the review goes last, so that a killed process leaves it to the next. */
  private async settle(review: PendingClaimReview): Promise<void> {
    const { orgId } = review;
    const claimed = await withTenant(this.pool, orgId, (tx) => claimsOf(tx, review));
    const failures: unknown[] = [];
    for (const { userId, ...claim } of claimed)
      await this.claims
        .reevaluate({ orgId, userId }, claim, new Date())
        .catch((error: unknown) => failures.push(error));
    // The other members' claims are looked at all the same; the review stays for the one that could not be.
    if (failures.length > 0) throw failures[0];
    await withTenant(this.pool, orgId, (tx) => removeClaimReview(tx, orgId, review.entryId));
  }
}

async function claimsOf(tx: Tx, { orgId, userId, teamId, weekStartsOn }: PendingClaimReview): Promise<ClaimedBonus[]> {
  // Whoever is claiming right now is waited for.
  await tx.query('select es.lock_keys($1)', [[userId, teamKey(teamId)]]);
  const { rows } = await tx.query<ClaimedBonus>(
    `select c.user_id, c.challenge_id, c.team_id
     from weekly_claims c join weekly_challenges w on w.org_id = c.org_id and w.challenge_id = c.challenge_id
     where c.org_id = $1 and c.week_starts_on = $2 and c.is_claimed
       and ((w.challenge_type = 'individual' and c.user_id = $3) or (w.challenge_type = 'team' and c.team_id = $4))
     order by c.user_id`,
    [orgId, weekStartsOn, userId, teamId],
  );
  return rows;
}
