import type { Caller } from '@caravan/auth/claims';
import { personKey, type PersonKey } from '@caravan/contracts/events/fact-key';
import { allSettled } from '@caravan/event-store/core/all-settled';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { CommandMeta, PersonUnit, Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AfterCredit, LogNews } from '../ports.ts';
import { earnedBadgeIds, type BadgesCommand, type DueBadge } from './badges.ts';
import { historyOf, recordsOf, type BadgeRecord } from './badges.query.ts';
import { catalogue, firstLogId } from './catalogue.ts';
import { earnedAtOf, earnedInHistory } from './history.ts';
import { nextThresholdsOf, mayEarn, type NextThresholds, type MemberFigures } from './badges.ts';
import { badgesWithoutGrounds, type Deed, openDeedsOf } from './owner-only.query.ts';
import { badgesStream } from './badges-stream.ts';

type Progress = {
  readonly meta: CommandMeta<PersonKey>;
  readonly figures: MemberFigures;
  readonly earnedAt: Date;
  /** Something went that only the member could see: badges that rest on it go with it (D13). */
  readonly mayLose: boolean;
};

/** Thresholds stay in memory, so that a log which earns nothing costs a comparison. */
@Injectable()
export class BadgeAwards implements AfterCredit {
  private readonly thresholds = new LRUCache<string, NextThresholds>({ max: 50_000 });
  private readonly looked = new Map<string, { thresholds: NextThresholds | null; isNew: boolean }>();

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
  ) {}

  afterCredit(news: LogNews, { meta }: PersonUnit, batch: BatchContext): void {
    const { movement, isOwnerOnly } = news;
    const mayLose = isOwnerOnly && news.is !== 'logged';
    if (!movement && !mayLose) return;
    const figures = { ...news.figures, activityType: movement?.activityType ?? '' };
    const earnedAt = movement ? earnedAtOf(movement.endedAt, movement.loggedAt) : meta.at;
    const { orgId, key } = meta;
    const userId = key.id;
    const thresholds = this.thresholds.get(userId);
    if (!isOwnerOnly && thresholds && !mayEarn(thresholds, figures)) return;
    batch.enqueueWrite(this.look, { meta, figures, earnedAt, mayLose });
    batch.afterCommit(() => this.settle(orgId, userId));
  }

  /** Inside a unit whose key is the member. Answers the new ones. */
  async review(unit: PersonUnit, beside: readonly DueBadge[] = []): Promise<readonly string[]> {
    const { orgId, key, at } = unit.meta;
    const userId = key.id;
    await unit.tx.query('select es.lock_keys($1)', [[userId]]);
    const [record] = await recordsOf(unit.tx, [{ orgId, userId }]);
    return this.award(unit, [...beside, ...(record ? await dueOf(unit.tx, record, at) : [])]);
  }

  async award(unit: PersonUnit, due: readonly DueBadge[]): Promise<readonly string[]> {
    if (due.length === 0) return [];
    return handle(unit, { type: 'AwardBadges', userId: unit.meta.key.id, badges: due });
  }

  /** Inside a unit whose key is the member, after something went that only the member could see (D13, D21). */
  async withdraw(unit: PersonUnit): Promise<readonly string[]> {
    const { orgId, key } = unit.meta;
    await unit.tx.query('select es.lock_keys($1)', [[key.id]]);
    const [record] = await recordsOf(unit.tx, [{ orgId, userId: key.id }]);
    const badgeIds = record ? await badgesWithoutGrounds(unit.tx, record) : [];
    if (badgeIds.length === 0) return [];
    return handle(unit, { type: 'WithdrawBadges', userId: key.id, badgeIds });
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
      const held = new Set(record.earned.map(({ badgeId }) => badgeId));
      const due = (await dueOf(tx, record, at)).filter(({ badgeId }) => !held.has(badgeId));
      // As awarding takes them: of two for one badge the first.
      const first = new Map(due.toReversed().map((badge) => [badge.badgeId, badge]));
      const earned = [...first.values()].map(({ badgeId, earnedAt, isOwnerOnly = false }) => {
        return { badgeId, earnedAt: new Date(earnedAt), isOwnerOnly };
      });
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
    const mayBeOpen = await openDeedsOf(tx, all);
    if (mayBeOpen.length === 0) return;
    await tx.query('select es.lock_keys($1)', [[...new Set(mayBeOpen.map(({ deed }) => deed.meta.key.id))]]);
    const byMember = Map.groupBy(await openDeedsOf(tx, mayBeOpen), ({ deed }) => deed.meta.key.id);
    await allSettled(
      [...byMember.values()].map(async (deeds) => {
        const [first] = deeds;
        if (!first) return;
        const { meta } = first.deed;
        // Of several that earn the same badge the decider takes the first.
        const due = deeds.map(({ deed, isOwnerOnly }) => dueBadge(deed.badgeId, deed.earnedAt, isOwnerOnly));
        const awarded = await this.award(this.store.within(tx, meta), due);
        if (awarded.length > 0) first.batch.afterCommit(() => this.announce(meta.orgId, meta.key.id));
      }),
    );
  };

  private readonly look = async (tx: Tx, all: readonly Progress[]): Promise<void> => {
    const byMember = Map.groupBy(all, (progress) => progress.meta.key.id);
    const members = [...byMember.values()].flatMap(([first]) =>
      first ? [{ orgId: first.meta.orgId, userId: first.meta.key.id }] : [],
    );
    for (const record of await recordsOf(tx, members)) {
      const own = byMember.get(record.userId) ?? [];
      // The last of several entries says when.
      const last = own.at(-1);
      if (last) await this.lookAt(tx, record, { ...last, mayLose: own.some(({ mayLose }) => mayLose) });
    }
  };

  private async lookAt(tx: Tx, found: BadgeRecord, { meta, figures, earnedAt, mayLose }: Progress): Promise<void> {
    const unit = this.store.within(tx, meta);
    const isAllShown = found.ownerOnlyEntries === 0;
    // A badge that is withdrawn later in the batch was earned all the same, unless only its owner could see it.
    const longest = isAllShown ? Math.max(figures.streakDays, found.figures.streakDays ?? 0) : 0;
    const reached = { ...found.figures, streakDays: longest };
    const record = isAllShown ? { ...found, figures: reached, shown: reached } : found;
    const awarded = await this.award(unit, await dueOf(tx, record, earnedAt));
    const withdrawn = mayLose ? await this.withdraw(unit) : [];
    const badgeIds = new Set([...record.earned.map(({ badgeId }) => badgeId), ...awarded]);
    this.looked.set(record.userId, {
      // A member with owner-only data is evaluated with every log: two figures have to be watched.
      thresholds: isAllShown ? nextThresholdsOf(catalogue, record.figures, { ...record, badgeIds }) : null,
      isNew: awarded.length + withdrawn.length > 0,
    });
  }

  private settle(orgId: string, userId: string): void {
    const looked = this.looked.get(userId);
    if (!looked) return;
    this.looked.delete(userId);
    if (looked.thresholds) this.thresholds.set(userId, looked.thresholds);
    else this.thresholds.delete(userId);
    if (looked.isNew) this.announce(orgId, userId);
  }
}

async function handle(unit: PersonUnit, command: BadgesCommand): Promise<readonly string[]> {
  const { events } = await unit.handle(badgesStream, command.userId, command);
  return events.map(({ data }) => data.badgeId);
}

function isUnseen({ earned: have, figures }: BadgeRecord): boolean {
  return (figures.logs ?? 0) > 0 && have.every(({ badgeId }) => badgeId !== firstLogId);
}

const hasMore = (record: BadgeRecord): boolean => newIn(record).length > 0;

/** Those that figures have reached and that the member has not, or not for all to see. */
function newIn({ earned: have, figures, shown }: BadgeRecord): { badgeId: string; isOwnerOnly: boolean }[] {
  const held = new Map(have.map(({ badgeId, isOwnerOnly }) => [badgeId, isOwnerOnly]));
  const shownIds = new Set(earnedBadgeIds(catalogue, shown));
  const own = earnedBadgeIds(catalogue, figures).filter((badgeId) => !shownIds.has(badgeId) && !held.has(badgeId));
  return [
    ...[...shownIds]
      .filter((badgeId) => held.get(badgeId) !== false)
      .map((badgeId) => ({ badgeId, isOwnerOnly: false })),
    ...own.map((badgeId) => ({ badgeId, isOwnerOnly: true })),
  ];
}

/** A first look dates them by the whole history, a later one by `at`. */
async function dueOf(tx: Tx, record: BadgeRecord, at: Date): Promise<DueBadge[]> {
  if (record.isErased) return [];
  const now = newIn(record).map(({ badgeId, isOwnerOnly }) => dueBadge(badgeId, at, isOwnerOnly));
  if (!isUnseen(record) || record.entries <= 1) return now;
  const history = await historyOf(tx, record);
  const shown = earnedInHistory(
    catalogue,
    history.filter(({ isOwnerOnly }) => !isOwnerOnly),
  );
  const dates = new Map(earnedInHistory(catalogue, history).map(({ badgeId, earnedAt }) => [badgeId, earnedAt]));
  const own = now
    .filter(({ isOwnerOnly }) => isOwnerOnly)
    .map((badge) => ({ ...badge, earnedAt: dates.get(badge.badgeId) ?? badge.earnedAt }));
  const have = new Set(record.earned.flatMap(({ badgeId, isOwnerOnly }) => (isOwnerOnly ? [] : [badgeId])));
  return [...shown, ...now.filter(({ isOwnerOnly }) => !isOwnerOnly), ...own].filter(
    ({ badgeId }) => !have.has(badgeId),
  );
}

const dueBadge = (badgeId: string, at: Date, isOwnerOnly: boolean): DueBadge => ({
  badgeId,
  earnedAt: at.toISOString(),
  ...(isOwnerOnly && { isOwnerOnly }),
});
