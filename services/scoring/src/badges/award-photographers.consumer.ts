import { movementCorrected, movementLogged } from '@caravan/contracts/activity.events';
import { personKey, type PersonKey } from '@caravan/contracts/fact-key';
import { positionsOf } from '@caravan/contracts/log-position';
import { movementEndOf } from '@caravan/contracts/movement-end';
import type { CommandMeta, Tx } from '@caravan/event-store/event-store';
import { EventStore } from '@caravan/event-store/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';
import { earnedAtOf } from './history.ts';

const from = { group: 'scoring.award-photographers', from: 'activity' } as const;
const badgeId = 'first-photo';

/** A log with a photo, told in this batch. */
type Pictured = { readonly meta: CommandMeta<PersonKey>; readonly earnedAt: Date; isAwarded: boolean };

const dueSql = `
  select k.user_id as "userId" from unnest($1::uuid[], $2::uuid[]) as k (org_id, user_id)
  where not exists (select from member_badges b
      where b.org_id = k.org_id and b.user_id = k.user_id and b.badge_id = $3)
    and not exists (select from members m where m.org_id = k.org_id and m.user_id = k.user_id and m.is_erased)
  order by 1`;

/** Whose first photo it is says cheese (D13), with a log or added to one later. */
@Controller()
export class AwardPhotographersConsumer {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(BadgeAwards) private readonly awards: BadgeAwards,
  ) {}

  @Consumes({ ...from, contract: movementLogged })
  awardPhotographerWhenMovementLogged(logged: Consumed<typeof movementLogged>, batch: BatchContext): void {
    const { photoPath, loggedAt } = logged.data;
    if (photoPath === null) return;
    this.enqueue(logged, earnedAtOf(new Date(movementEndOf(logged.data)), new Date(loggedAt)), batch);
  }

  @Consumes({ ...from, contract: movementCorrected })
  awardPhotographerWhenMovementCorrected(corrected: Consumed<typeof movementCorrected>, batch: BatchContext): void {
    if (corrected.data.photoPath === null) return;
    this.enqueue(corrected, new Date(corrected.data.correctedAt), batch);
  }

  private enqueue(
    fact: Consumed<typeof movementLogged | typeof movementCorrected>,
    earnedAt: Date,
    batch: BatchContext,
  ) {
    const { orgId, data } = fact;
    const { userId } = data;
    const meta = { orgId, actorId: null, at: earnedAt, key: personKey(userId), causes: positionsOf(fact) };
    const pictured: Pictured = { meta, earnedAt, isAwarded: false };
    batch.enqueueWrite(this.award, pictured);
    batch.afterCommit(() => {
      if (pictured.isAwarded) this.awards.announce(orgId, userId);
    });
  }

  /** Locked in the order in which those lock who credit miles: nobody waits in a circle. */
  private readonly award = async (tx: Tx, all: readonly Pictured[]): Promise<void> => {
    // Of several photos the first.
    const byMember = new Map(all.toReversed().map((pictured) => [pictured.meta.key.id, pictured]));
    const members = [...byMember.values()].map(({ meta }) => ({ orgId: meta.orgId, userId: meta.key.id }));
    const { rows } = await tx.query<{ userId: string }>(dueSql, [
      ...[members.map(({ orgId }) => orgId), members.map(({ userId }) => userId), badgeId],
    ]);
    if (rows.length === 0) return;
    await tx.query('select es.lock_keys($1)', [rows.map(({ userId }) => userId)]);
    for (const { userId } of rows) {
      const pictured = byMember.get(userId);
      if (!pictured) continue;
      const due = [{ badgeId, earnedAt: pictured.earnedAt.toISOString() }];
      const awarded = await this.awards.award(this.store.within(tx, pictured.meta), due);
      pictured.isAwarded = awarded.length > 0;
    }
  };
}
