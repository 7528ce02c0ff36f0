import type { Caller } from '@caravan/auth/claims';
import { personKey, type PersonKey } from '@caravan/contracts/fact-key';
import { allSettled } from '@caravan/event-store/all-settled';
import { EventStore } from '@caravan/event-store/event-store';
import type { CommandMeta, PersonUnit, Tx } from '@caravan/event-store/event-store';
import { withTenant } from '@caravan/event-store/postgres';
import type { BatchContext } from '@caravan/messaging/consumer';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AfterCredit, LogNews } from '../ports.ts';
import { earned, type AwardBadges } from './badges.ts';
import { historyOf, recordsOf, type BadgeRecord } from './badges.query.ts';
import { catalogue, firstLogId } from './catalogue.ts';
import { earnedAtOf, earnedInHistory } from './history.ts';
import { nextThresholdsOf, mayEarn, type NextThresholds, type MemberFigures } from './badges.ts';
import { badgesStream } from './public-events.ts';

type Progress = {
  readonly meta: CommandMeta<PersonKey>;
  readonly figures: MemberFigures;
  readonly endedAt: Date;
  readonly loggedAt: Date;
};

/** What somebody did that has a badge of its own; the key of `meta` is theirs. */
export type Deed = {
  readonly meta: CommandMeta<PersonKey>;
  readonly badgeId: string;
  readonly earnedAt: Date;
};

const openDeedsSql = `
  select k.nth::int as nth from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as k (org_id, user_id, badge_id, nth)
  where not exists (select from member_badges b
      where b.org_id = k.org_id and b.user_id = k.user_id and b.badge_id = k.badge_id)
    and not exists (select from members m where m.org_id = k.org_id and m.user_id = k.user_id and m.is_erased)
  order by 1`;

/** Thresholds stay in memory, so that a log which earns nothing costs a comparison. */
@Injectable()
export class BadgeAwards implements AfterCredit {
  private readonly thresholds = new LRUCache<string, NextThresholds>({ max: 50_000 });
  private readonly looked = new Map<string, { thresholds: NextThresholds; isNew: boolean }>();

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
  ) {}

  afterCredit({ movement, figures }: LogNews, { meta }: PersonUnit, batch: BatchContext): void {
    if (!movement) return;
    const { activityType, ...instants } = movement;
    const progress = { meta, figures: { ...figures, activityType }, ...instants };
    const { orgId, key } = meta;
    const userId = key.id;
    const thresholds = this.thresholds.get(userId);
    if (thresholds && !mayEarn(thresholds, progress.figures)) return;
    batch.enqueueWrite(this.look, progress);
    batch.afterCommit(() => this.settle(orgId, userId));
  }

  /** Inside a unit whose key is the member. Answers the new ones. */
  async review(unit: PersonUnit, beside: AwardBadges['badges'] = []): Promise<readonly string[]> {
    const { orgId, key, at } = unit.meta;
    const userId = key.id;
    const [record] = await recordsOf(unit.tx, [{ orgId, userId }]);
    return this.award(unit, [...beside, ...(record ? await dueOf(unit.tx, record, at) : [])]);
  }

  async award(unit: PersonUnit, due: AwardBadges['badges']): Promise<readonly string[]> {
    if (due.length === 0) return [];
    const { id: userId } = unit.meta.key;
    const command: AwardBadges = { type: 'AwardBadges', userId, badges: due };
    const { events } = await unit.handle(badgesStream, userId, command);
    return events.map(({ data }) => data.badgeId);
  }

  /** Awarded with all other deeds of its batch, before the commit. */
  enqueueDeed(deed: Deed, batch: BatchContext): void {
    batch.enqueueWrite(this.awardDeeds, { deed, batch });
  }

  announce(orgId: string, userId: string): void {
    this.live.publish(orgId, ['badges'], { to: userId });
  }

  /** What is earned and not awarded yet shows at once; the job writes it (D11). */
  recordFor({ orgId, userId, at }: Caller): Promise<BadgeRecord> {
    return withTenant(this.pool, orgId, async (tx) => {
      const [record] = await recordsOf(tx, [{ orgId, userId }]);
      if (!record) throw new Error('One row for each member that is asked for');
      const due = await dueOf(tx, record, at);
      // As awarding takes them: of two for one badge the first.
      const first = new Map(due.toReversed().map(({ badgeId, earnedAt }) => [badgeId, new Date(earnedAt)]));
      const earned = [...first].map(([badgeId, earnedAt]) => ({ badgeId, earnedAt }));
      return { ...record, earned: [...record.earned, ...earned] };
    });
  }

  async awardDue(orgId: string, userIds: readonly string[], at: Date): Promise<void> {
    const members = userIds.map((userId) => ({ orgId, userId }));
    const records = await withTenant(this.pool, orgId, (tx) => recordsOf(tx, members));
    for (const record of records) {
      if (record.isErased || (!isUnseen(record) && !hasMore(record))) continue;
      const meta = { orgId, actorId: null, at, key: personKey(record.userId) };
      const awarded = await this.store.transaction(meta, (unit) => this.review(unit));
      this.thresholds.delete(record.userId);
      if (awarded.length > 0) this.announce(orgId, record.userId);
    }
  }

  /** All members are locked at once: who locks some now and some later waits in a circle with those who credit miles. */
  private readonly awardDeeds = async (tx: Tx, all: readonly { deed: Deed; batch: BatchContext }[]): Promise<void> => {
    const { rows } = await tx.query<{ nth: number }>(openDeedsSql, [
      all.map(({ deed }) => deed.meta.orgId),
      all.map(({ deed }) => deed.meta.key.id),
      all.map(({ deed }) => deed.badgeId),
    ]);
    const open = rows.flatMap(({ nth }) => all[nth - 1] ?? []);
    if (open.length === 0) return;
    const byMember = Map.groupBy(open, ({ deed }) => deed.meta.key.id);
    await tx.query('select es.lock_keys($1)', [[...byMember.keys()]]);
    await allSettled(
      [...byMember.values()].map(async (deeds) => {
        const [first] = deeds;
        if (!first) return;
        const { meta } = first.deed;
        // Of several that earn the same badge the decider takes the first.
        const due = deeds.map(({ deed: { badgeId, earnedAt } }) => ({ badgeId, earnedAt: earnedAt.toISOString() }));
        const awarded = await this.award(this.store.within(tx, meta), due);
        if (awarded.length > 0) first.batch.afterCommit(() => this.announce(meta.orgId, meta.key.id));
      }),
    );
  };

  private readonly look = async (tx: Tx, all: readonly Progress[]): Promise<void> => {
    // Of several entries the last says when.
    const byMember = new Map(all.map((progress) => [progress.meta.key.id, progress]));
    const members = [...byMember.values()].map(({ meta }) => ({ orgId: meta.orgId, userId: meta.key.id }));
    for (const record of await recordsOf(tx, members)) {
      const progress = byMember.get(record.userId);
      if (progress) await this.lookAt(tx, record, progress);
    }
  };

  private async lookAt(tx: Tx, found: BadgeRecord, { meta, figures, endedAt, loggedAt }: Progress): Promise<void> {
    // What is taken away again further on in the batch was earned all the same.
    const streakDays = Math.max(figures.streakDays, found.figures.streakDays ?? 0);
    const record = { ...found, figures: { ...found.figures, streakDays } };
    const due = await dueOf(tx, record, earnedAtOf(endedAt, loggedAt));
    const awarded = await this.award(this.store.within(tx, meta), due);
    const badgeIds = new Set([...record.earned.map(({ badgeId }) => badgeId), ...awarded]);
    const thresholds = nextThresholdsOf(catalogue, record.figures, { ...record, badgeIds });
    this.looked.set(record.userId, { thresholds, isNew: awarded.length > 0 });
  }

  private settle(orgId: string, userId: string): void {
    const looked = this.looked.get(userId);
    if (!looked) return;
    this.looked.delete(userId);
    this.thresholds.set(userId, looked.thresholds);
    if (looked.isNew) this.announce(orgId, userId);
  }
}

function isUnseen({ earned: have, figures }: BadgeRecord): boolean {
  return (figures.logs ?? 0) > 0 && have.every(({ badgeId }) => badgeId !== firstLogId);
}

function hasMore({ earned: have, figures }: BadgeRecord): boolean {
  return earned(catalogue, figures).some((id) => have.every(({ badgeId }) => badgeId !== id));
}

/** A first look dates them by the whole history, a later one by `at`. */
async function dueOf(tx: Tx, record: BadgeRecord, at: Date): Promise<AwardBadges['badges']> {
  if (record.isErased) return [];
  const have = new Set(record.earned.map(({ badgeId }) => badgeId));
  const now = earned(catalogue, record.figures).map((badgeId) => ({ badgeId, earnedAt: at.toISOString() }));
  const before = isUnseen(record) && record.entries > 1 ? earnedInHistory(catalogue, await historyOf(tx, record)) : [];
  return [...before, ...now].filter(({ badgeId }) => !have.has(badgeId));
}
