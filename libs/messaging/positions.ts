import { isUpTo, type LogPosition, type LogPositions, parsePositions } from '@caravan/contracts/log-position';
import { awaitedKeyOf, type Reader, type ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import { outsideRequests } from '@caravan/event-store/reading';
import { currentContext, markStale } from '@caravan/service-kit/request-context';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppliedElsewhere, type Wanted } from './applied-elsewhere.ts';
import type { AppliedPosition } from './consumer-offsets.ts';
import type { Group } from './consumer.ts';

type PositionsOptions = {
  readonly service: ServiceName;
  readonly pool: Tx;
  readonly pollMs?: number;
  readonly waitMs?: number;
};

type Waiter = {
  readonly wanted: readonly Wanted[];
  readonly isSilent: boolean;
  end(outcome: 'applied' | 'stale'): void;
};
type Source = { readonly group: string; readonly service: ServiceName };

const silentWaitMs = 50;

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
  private polling: NodeJS.Timeout | undefined;

  constructor(options: PositionsOptions) {
    this.options = options;
    this.elsewhere = new AppliedElsewhere(options.pool);
  }

  follow(groups: readonly Pick<Group, 'name' | 'follows'>[]): void {
    this.groups = groups;
  }

  get silentSources(): readonly Source[] {
    return [...this.silent.values()];
  }

  applied(group: string, applied: readonly AppliedPosition[]): void {
    for (const { key, service, epoch, position } of applied)
      this.remember(idOf(group, key, service), { epoch, position });
    for (const service of new Set(applied.map((each) => each.service))) this.noteApplied({ group, service });
    for (const waiter of this.waiters) if (this.isApplied(waiter.wanted)) waiter.end('applied');
  }

  /** Waits at most `timeoutMs` for facts up to `min`; while a source brings nothing only the first reader waits. */
  async waitFor(
    min: LogPositions,
    reader: Reader,
    timeoutMs = this.options.waitMs ?? 1_000,
  ): Promise<'applied' | 'stale'> {
    const wanted = this.wantedOf(min, reader);
    if (this.isApplied(wanted)) return 'applied';
    const isSilent = this.missing(wanted).some((want) => this.silent.has(nameOf(want)));
    const since = performance.now();
    return new Promise((resolve) => {
      const end = (outcome: 'applied' | 'stale') => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(outcome);
      };
      const timeOut = () => {
        if (!isSilent) this.noteSilence(wanted, since);
        end('stale');
      };
      const timer = setTimeout(timeOut, isSilent ? Math.min(silentWaitMs, timeoutMs) : timeoutMs);
      const waiter: Waiter = { wanted, isSilent, end };
      this.waiters.add(waiter);
      // What this process applies it hears of at once; the database knows what others did.
      if (this.polling === undefined) this.poll(!isSilent && this.isKnown(wanted) ? this.pollMs : 0);
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

  private get pollMs(): number {
    return this.options.pollMs ?? 25;
  }

  private remember(id: string, position: LogPosition): void {
    if (!isUpTo(this.known.get(id), position)) this.known.set(id, position);
  }

  private poll(delayMs: number): void {
    const ask = () => {
      this.ask()
        .catch(() => undefined)
        .finally(() => {
          this.polling = undefined;
          if (this.waiters.size > 0) this.poll(this.pollMs);
        });
    };
    // Neither reading only nor the deadline of the first of them is everybody's.
    this.polling = outsideRequests(() => setTimeout(ask, delayMs));
  }

  private async ask(): Promise<void> {
    const asking = [...this.waiters];
    const { applied, parked } = await this.elsewhere.ask(asking.flatMap((waiter) => waiter.wanted));
    for (const { group, key, service, position } of applied) {
      const id = idOf(group, key, service);
      const before = this.known.get(id);
      // What was not known here may be old; what has moved on was moved by a process that hears its source.
      if (before && !isUpTo(before, position)) this.noteApplied({ group, service });
      this.remember(id, position);
    }
    for (const waiter of asking) {
      if (this.isApplied(waiter.wanted)) waiter.end('applied');
      else if (waiter.isSilent) waiter.end('stale');
      // A parked key stands still until somebody mends it: waiting would only be slow.
      else if (waiter.wanted.some((want) => parked.includes(want))) waiter.end('stale');
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
    return this.positions.waitFor(parsePositions(header), caller).then((outcome) => {
      if (outcome === 'stale') markStale();
      return true;
    });
  }
}
