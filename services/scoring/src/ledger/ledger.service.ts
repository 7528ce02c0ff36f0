import { personKey } from '@caravan/contracts/events/fact-key';
import type { PersonKey } from '@caravan/contracts/events/fact-key';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { streakOn } from '@caravan/contracts/domain/movement/streak';
import type { StreakRun } from '@caravan/contracts/domain/movement/streak';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { CommandMeta, Tx, PersonUnit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer/consumer';
import { DependencyTimeout } from '@caravan/messaging/consumer/dependency-timeout';
import { currentTraceparent } from '@caravan/service-kit/telemetry/tracing';
import { Inject, Injectable } from '@nestjs/common';
import { AfterCredit } from '../ports.ts';
import type { LogNews } from '../ports.ts';
import type { LedgerCommand } from './ledger.ts';
import { memberSnapshotOf, shownStreakOf } from './member-snapshot.query.ts';
import { LedgerStream } from './ledger-stream.ts';
import type { FiguresAfter } from './public-events.ts';
import { writeMovements } from './recent-movements.store.ts';
import type { MovementNews } from './recent-movements.store.ts';
import { keepStart } from './streak-starts.store.ts';
import { figuresWithMiles, figuresWith, latestAfter, latestOfAll, withShown } from './streaks.ts';
import type { DayChange, LatestRun, MemberSnapshot } from './streaks.ts';

type Cause = Pick<Consumed, 'orgId' | 'key' | 'occurredAt' | 'positions' | 'epochs'> & {
  readonly data: { readonly logId: string; readonly bonusChallengeId?: string | undefined };
};

@Injectable()
export class LedgerService {
  private readonly timeout = new DependencyTimeout();

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(LedgerStream) private readonly stream: LedgerStream,
    @Inject(AfterCredit) private readonly listeners: readonly AfterCredit[],
  ) {}

  /** Throws `Rejected` while the organisation, whose weeks count, is not known here. */
  async enter(
    cause: Cause,
    batch: BatchContext,
    news: MovementNews,
    changeIn: (zones: ZoneHistory) => LedgerChange,
  ): Promise<void> {
    const { orgId, key: userId } = cause;
    const before = await memberSnapshotOf(batch.tx, { orgId, userId });
    if (before.zones === null) throw this.unknown(orgId);
    this.timeout.forget(orgId);
    const meta = metaOf(cause);
    const unit = this.store.within(batch.tx, meta);
    const { isNews, isOwnerOnly, after } = await enterMiles(this.stream, unit, before, changeIn(before.zones));
    // A log that was told before stands among the recent ones, or its owner took it back.
    if (isNews || news.is !== 'logged') batch.enqueueWrite(writeMovements, news);
    // Another name for an activity is no entry, and is seen and counted all the same; one that is not scored is seen.
    if (!isNews && news.is !== 'corrected') return;
    const [figuresAfter, entries] = after ? [after, before.entries + 1] : [figuresWithMiles(before, 0), before.entries];
    const told: LogNews = {
      is: news.is,
      log: cause.data,
      isEntered: after !== null,
      isOwnerOnly,
      movement: news.is === 'removed' ? null : movementOf(news),
      figures: { ...figuresOf(figuresAfter, before.hasFreezes), entries },
    };
    for (const listener of this.listeners) await listener.afterCredit(told, unit, batch);
  }

  /** It comes by another topic and may be later; weeks cannot be guessed. */
  private unknown(orgId: string): Rejected {
    const kind = this.timeout.isWithin(orgId, Date.now()) ? 'unavailable' : 'not-found';
    return new Rejected('ledger/organisation-unknown', kind, `Organisation ${orgId} is not known here`);
  }
}

function figuresOf({ latestRun, streak, totalCentimiles }: FiguresAfter, hasFreezes: boolean) {
  const streakDays = latestRun ? streakOn(latestRun, latestRun.endedOn, hasFreezes ? streak : undefined).days : 0;
  return { miles: milesOf(totalCentimiles), streakDays };
}

function movementOf({ activityType, endedAt, loggedAt }: Exclude<MovementNews, { is: 'removed' }>) {
  return { activityType, endedAt: new Date(endedAt), loggedAt: new Date(loggedAt) };
}

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

export type LedgerChange = {
  readonly command: LedgerCommand;
  readonly centimiles: number;
  readonly days: readonly DayChange[];
  readonly shownOn: string | null;
};

type Whose = { readonly orgId: string; readonly userId: string };

/** `after` is null where no miles or days changed: it was no news, or is not scored. */
type Entered = { readonly isNews: boolean; readonly isOwnerOnly: boolean; readonly after: FiguresAfter | null };

/** Under the member's lock. */
export async function enterMiles(
  stream: LedgerStream,
  unit: PersonUnit,
  before: MemberSnapshot,
  { command, centimiles, days, shownOn }: LedgerChange,
): Promise<Entered> {
  const whose = { orgId: unit.meta.orgId, userId: unit.meta.key.id };
  const latest = latestAfter(before, days) ?? (await readLatest(unit.tx, whose, days));
  const own = figuresWith(before.centimiles + centimiles, latest);
  const bringsOwnerOnly = command.type !== 'TakeBackMiles' && command.isOwnerOnly === true;
  const after =
    bringsOwnerOnly || before.ownerOnlyEntries > 0
      ? withShown(own, await shownStreakOf(unit.tx, whose, { logId: command.logId, shownOn }))
      : own;
  const { events } =
    command.type === 'CreditMiles'
      ? await unit.create(stream, command.logId, command, after)
      : await unit.handle(stream, command.logId, command, after);
  const entries = events.filter((event) => event.type === 'MilesCredited');
  if (entries.length === 0) return { isNews: events.length > 0, isOwnerOnly: false, after: null };
  await keepStart(unit.tx, whose, { before, latest });
  return { isNews: true, isOwnerOnly: entries.some(({ data }) => data.isOwnerOnly === true), after };
}

async function readLatest(tx: Tx, { orgId, userId }: Whose, days: readonly DayChange[]): Promise<LatestRun> {
  const { rows } = await tx.query<{ runs: StreakRun[]; movementsOn: Record<string, number> }>(
    `select (select coalesce(json_agg(json_build_object('startedOn', started_on, 'endedOn', ended_on) order by started_on), '[]')
         from streak_runs where org_id = $1 and user_id = $2) as runs,
       (select coalesce(json_object_agg(credited_on, movements), '{}') from (
         select credited_on, sum(movements) as movements from ledger_entries
         where org_id = $1 and user_id = $2 and credited_on = any($3::date[]) group by 1
       ) d) as movements_on`,
    [orgId, userId, days.map(({ on }) => on)],
  );
  const [found] = rows;
  return found ? latestOfAll(found.runs, days, found.movementsOn) : null;
}
