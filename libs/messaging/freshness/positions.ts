import { isUpTo, type LogPosition, type LogPositions, parsePositions } from '@caravan/contracts/events/log-position';
import { awaitedKeyOf, type Reader, type ServiceName } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import { outsideRequests } from '@caravan/event-store/postgres/reading';
import { currentContext, markStale } from '@caravan/service-kit/telemetry/request-context';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppliedElsewhere, type Wanted } from './applied-elsewhere.ts';
import type { AppliedPosition } from '../consumer/consumer-offsets.ts';
import type { Group } from '../consumer/consumer.ts';
import type { TopicPartition } from '../kafka/kafka-port.ts';

type PositionsOptions = {
  readonly service: ServiceName;
  readonly pool: Tx;
  readonly pollMs?: number;
  readonly waitMs?: number;
};

type Waiter = {
  readonly wanted: readonly Wanted[];
  readonly isSilent: boolean;
  /** Whether all of it comes to this process; asking tells anew. */
  isHeard: boolean;
  /** Whether the database was asked for it. */
  isAsked: boolean;
  end(): void;
};
type Source = { readonly group: string; readonly service: ServiceName };
/** Whether this process has claimed a partition for a group. */
type Hears = (group: string, place: TopicPartition) => boolean;

const silentWaitMs = 50;
/** What this process hears of itself it asks the database for only to learn that it stands still, or came long ago. */
const heardPollMs = 250;

/** Knows how far this service's read models are, and lets a reader wait until they are far enough. */
export class Positions {
  private readonly options: PositionsOptions;
  private readonly elsewhere: AppliedElsewhere;
  private readonly known = new LRUCache<string, LogPosition>({ max: 50_000 });
  private readonly waiters = new Set<Waiter>();
  private readonly lastAppliedAt = new Map<string, number>();
  /** Sources that were waited for in vain and have brought nothing since: nobody else waits for them. */
  private readonly silent = new Map<string, Source>();
  private groups: readonly Pick<Group, 'name' | 'follows'>[] = [];
  private hears: Hears = () => false;
  private next: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;
  private isAsking = false;

  constructor(options: PositionsOptions) {
    this.options = options;
    this.elsewhere = new AppliedElsewhere(options.pool);
  }

  follow(groups: readonly Pick<Group, 'name' | 'follows'>[], hears: Hears = () => false): void {
    this.groups = groups;
    this.hears = hears;
  }

  get silentSources(): readonly Source[] {
    return [...this.silent.values()];
  }

  recordApplied(group: string, applied: readonly AppliedPosition[]): void {
    for (const { key, service, epoch, position } of applied)
      this.remember(idOf(group, key, service), { epoch, position });
    for (const service of new Set(applied.map((each) => each.service))) this.noteApplied({ group, service });
    for (const waiter of this.waiters) if (this.isApplied(waiter.wanted)) waiter.end();
  }

  /**
   * Waits at most `timeoutMs` for facts up to `min`; while a source brings nothing only the first reader waits.
   * Returns the services whose facts are still missing.
   */
  async waitFor(
    min: LogPositions,
    reader: Reader,
    timeoutMs = this.options.waitMs ?? 1_000,
  ): Promise<readonly ServiceName[]> {
    const wanted = this.wantedOf(min, reader);
    if (this.isApplied(wanted)) return [];
    const isSilent = this.missing(wanted).some((want) => this.silent.has(nameOf(want)));
    const since = performance.now();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve([...new Set(this.missing(wanted).map(({ service }) => service))]);
      };
      const timeOut = () => {
        if (!isSilent) this.noteSilence(wanted, since);
        end();
      };
      const timer = setTimeout(timeOut, isSilent ? Math.min(silentWaitMs, timeoutMs) : timeoutMs);
      const waiter: Waiter = { wanted, isSilent, isHeard: this.areHeard(wanted), isAsked: false, end };
      this.waiters.add(waiter);
      this.poll();
    });
  }

  private noteSilence(wanted: readonly Wanted[], since: number): void {
    for (const { group, service } of this.missing(wanted)) {
      const source = { group, service };
      if ((this.lastAppliedAt.get(nameOf(source)) ?? -Infinity) < since) this.silent.set(nameOf(source), source);
    }
  }

  private noteApplied(source: Source): void {
    this.lastAppliedAt.set(nameOf(source), performance.now());
    this.silent.delete(nameOf(source));
  }

  private wantedOf(min: LogPositions, reader: Reader): Wanted[] {
    return Object.entries(min).flatMap(([name, position]) => {
      const service = name as ServiceName;
      const key = awaitedKeyOf(service, reader).id;
      if (service === this.options.service) return [];
      return this.groups
        .filter(({ follows }) => follows.has(service))
        .map((group) => ({ group: group.name, key, service, position }));
    });
  }

  private isApplied(wanted: readonly Wanted[]): boolean {
    return wanted.every((want) => this.isThere(want));
  }

  private missing(wanted: readonly Wanted[]): Wanted[] {
    return wanted.filter((want) => !this.isThere(want));
  }

  private isThere({ group, key, service, position }: Wanted): boolean {
    return isUpTo(this.known.get(idOf(group, key, service)), position);
  }

  private isKnown(wanted: readonly Wanted[]): boolean {
    return wanted.every((want) => this.known.has(idOf(want.group, want.key, want.service)));
  }

  /** What this process applies it hears of at once; the database knows what others did. */
  private get pollDelayMs(): number {
    const { pollMs = 25 } = this.options;
    let areHeard = true;
    for (const { wanted, isSilent, isHeard, isAsked } of this.waiters) {
      if (!isAsked && (isSilent || !(isHeard || this.isKnown(wanted)))) return 0;
      areHeard &&= isHeard;
    }
    return areHeard ? Math.max(pollMs, heardPollMs) : pollMs;
  }

  private areHeard(wanted: readonly Wanted[]): boolean {
    return this.missing(wanted).every((want) => this.isHeard(want));
  }

  private isHeard(want: Wanted): boolean {
    const place = this.elsewhere.placeOf(want);
    return place !== undefined && this.hears(want.group, place);
  }

  private remember(id: string, position: LogPosition): void {
    if (!isUpTo(this.known.get(id), position)) this.known.set(id, position);
  }

  private poll(): void {
    if (this.isAsking || this.waiters.size === 0) return;
    const delayMs = this.pollDelayMs;
    const at = performance.now() + delayMs;
    if (this.next && this.next.at <= at) return;
    clearTimeout(this.next?.timer);
    const ask = () => {
      this.next = undefined;
      this.isAsking = true;
      this.ask()
        .catch(() => undefined)
        .finally(() => {
          this.isAsking = false;
          this.poll();
        });
    };
    // Neither reading only nor the deadline of the first of them is everybody's.
    this.next = { at, timer: outsideRequests(() => setTimeout(ask, delayMs)) };
  }

  private async ask(): Promise<void> {
    const asking = [...this.waiters];
    if (asking.length === 0) return;
    for (const waiter of asking) waiter.isAsked = true;
    const { applied, parked } = await this.elsewhere.ask(asking.flatMap((waiter) => this.missing(waiter.wanted)));
    for (const { group, key, service, position } of applied) {
      const id = idOf(group, key, service);
      const before = this.known.get(id);
      // What was not known here may be old; what has moved on was moved by a process that hears its source.
      if (before && !isUpTo(before, position)) this.noteApplied({ group, service });
      this.remember(id, position);
    }
    for (const waiter of asking) {
      waiter.isHeard = this.areHeard(waiter.wanted);
      if (waiter.isSilent || this.isApplied(waiter.wanted)) waiter.end();
      // A parked key stands still until somebody mends it: waiting would only be slow.
      else if (waiter.wanted.some((want) => parked.includes(want))) waiter.end();
    }
  }
}

const nameOf = ({ group, service }: Source) => `${group} ${service}`;
const idOf = (group: string, key: string, service: string) => `${group} ${service} ${key}`;

type Request = { readonly headers: Readonly<Record<string, string | string[] | undefined>> };

/** Read-your-writes: a request with `X-Min-Position: activity:123` waits for it, else answers `X-Stale: true`. */
@Injectable()
export class WaitForPositionsGuard implements CanActivate {
  constructor(@Inject(Positions) private readonly positions: Positions) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const header = context.switchToHttp().getRequest<Request>().headers['x-min-position'];
    const caller = currentContext()?.caller;
    if (typeof header !== 'string' || !caller) return true;
    return this.positions.waitFor(parsePositions(header), caller).then((late) => {
      if (late.length > 0) markStale(late);
      return true;
    });
  }
}
