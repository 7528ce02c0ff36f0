import { personKey, type PersonKey } from '@caravan/contracts/fact-key';
import { positionsOf } from '@caravan/contracts/log-position';
import { milesOf } from '@caravan/contracts/miles';
import { streakOn } from '@caravan/contracts/streak';
import { EventStore } from '@caravan/event-store/event-store';
import type { CommandMeta } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { currentTraceparent } from '@caravan/service-kit/tracing';
import { Inject, Injectable } from '@nestjs/common';
import { BadgeAwards } from '../badge-awards.client.ts';
import { BoardUpkeep } from '../boards/board-upkeep.client.ts';
import { BonusCompletions } from '../bonus-completions.client.ts';
import { figuresWithMiles } from '../ledger-stream.ts';
import { enterMiles } from './enter-miles.query.ts';
import type { LedgerChange } from './enter-miles.query.ts';
import { DependencyTimeout } from './dependency-timeout.ts';
import type { FiguresAfter } from './public-events.ts';
import { memberSnapshotOf } from './member-snapshot.query.ts';
import { writeMovements } from '../recent-movements.query.ts';
import type { MovementNews } from '../recent-movements.query.ts';

type Cause = Pick<Consumed, 'orgId' | 'key' | 'occurredAt' | 'positions' | 'epochs'> & {
  readonly data: { readonly logId: string; readonly bonusChallengeId?: string | undefined };
};

/** Enters what became of logs into the ledger, once however often it is told, and brings what follows from it. */
@Injectable()
export class LedgerEntries {
  private readonly timeout = new DependencyTimeout();

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(BoardUpkeep) private readonly boards: BoardUpkeep,
    @Inject(BadgeAwards) private readonly badges: BadgeAwards,
    @Inject(BonusCompletions) private readonly completions: BonusCompletions,
  ) {}

  /** Throws `Rejected` while the organisation, whose weeks count, is not known here. */
  async enter(
    cause: Cause,
    batch: BatchContext,
    news: MovementNews,
    changeIn: (timeZone: string) => LedgerChange,
  ): Promise<void> {
    const { orgId, key: userId } = cause;
    const before = await memberSnapshotOf(batch.tx, { orgId, userId });
    if (before.timeZone === null) throw this.unknown(orgId);
    this.timeout.forget(orgId);
    const meta = metaOf(cause);
    const unit = this.store.within(batch.tx, meta);
    const after = await enterMiles(unit, before, changeIn(before.timeZone));
    // A log that was credited before stands among the recent ones, or its owner took it back.
    if (after || news.is !== 'logged') batch.enqueueWrite(writeMovements, news);
    if (after) await this.completions.follow(unit, batch, cause.data, { isNew: news.is === 'logged' });
    // Another name for an activity is no entry, and is seen and counted all the same.
    const isRenamed = !after && news.is === 'corrected';
    if (!after && !isRenamed) return;
    const [figuresAfter, entries] = after ? [after, before.entries + 1] : [figuresWithMiles(before, 0), before.entries];
    const { hasFreezes } = before;
    if (news.is !== 'removed') this.considerBadges(batch, { meta, news, figuresAfter, entries, hasFreezes });
    batch.afterCommit(() => (isRenamed ? this.boards.announce(orgId) : this.boards.settle(orgId)));
  }

  private considerBadges(batch: BatchContext, { meta, news, figuresAfter, entries, hasFreezes }: Entered): void {
    const { latestRun: run, streak, totalCentimiles } = figuresAfter;
    const streakDays = run ? streakOn(run, run.endedOn, hasFreezes ? streak : undefined).days : 0;
    const figures = { miles: milesOf(totalCentimiles), streakDays, entries, activityType: news.activityType };
    this.badges.consider(batch, { meta, figures, endedAt: new Date(news.endedAt), loggedAt: new Date(news.loggedAt) });
  }

  /** The organisation's news comes by another topic and may be later; its weeks cannot be guessed. */
  private unknown(orgId: string): Rejected {
    const kind = this.timeout.isWithin(orgId, Date.now()) ? 'unavailable' : 'not-found';
    return new Rejected('ledger/organisation-unknown', kind, `Organisation ${orgId} is not known here`);
  }
}

type Entered = {
  readonly meta: CommandMeta<PersonKey>;
  readonly news: Exclude<MovementNews, { is: 'removed' }>;
  readonly figuresAfter: FiguresAfter;
  readonly entries: number;
  readonly hasFreezes: boolean;
};

function metaOf(cause: Cause): CommandMeta<PersonKey> {
  const { orgId, key, occurredAt } = cause;
  const traceparent = currentTraceparent();
  const at = new Date(occurredAt);
  return {
    orgId,
    actorId: null,
    at,
    key: personKey(key),
    causes: positionsOf(cause),
    ...(traceparent !== undefined && { traceparent }),
  };
}
