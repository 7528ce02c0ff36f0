import { isUpTo, type LogPosition, type LogPositions } from '@caravan/contracts/log-position';
import { awaitedKeyOf, type Reader, type ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import { outsideRequests } from '@caravan/event-store/reading';
import { LRUCache } from 'lru-cache';
import type { Group } from './groups.ts';
import type { AppliedPosition } from './consumer-offsets.ts';

export type PositionsOptions = {
  readonly service: ServiceName;
  readonly pool: Tx;
  /** How often the database is asked while somebody waits, for what other processes apply; 25 unless said otherwise. */
  readonly pollMs?: number;
  /** How long a reader waits at most; a second unless said otherwise. */
  readonly waitMs?: number;
};

type Wanted = {
  readonly group: string;
  readonly key: string;
  readonly service: ServiceName;
  readonly position: LogPosition;
};
type Waiter = {
  readonly wanted: readonly Wanted[];
  /** Looks once at what other processes have applied, and waits no longer. */
  readonly isVain: boolean;
  end(outcome: 'applied' | 'stale'): void;
};
/** A service's facts as a group gets them. */
type Source = { readonly group: string; readonly service: ServiceName };

/** How long a look at the database may take where waiting is known to be vain. */
const glanceMs = 50;

/** Knows how far this service's read models are, and lets a reader wait until they are far enough. */
export class Positions {
  private readonly options: PositionsOptions;
  private readonly known = new LRUCache<string, LogPosition>({ max: 50_000 });
  private readonly waiters = new Set<Waiter>();
  /** When a source last brought anything that this process knows of, on the clock of `performance.now()`. */
  private readonly heardAt = new Map<string, number>();
  /** Sources that were waited for in vain and have brought nothing since: they hang, and nobody else waits for them. */
  private readonly silent = new Map<string, Source>();
  private groups: readonly Pick<Group, 'name' | 'follows'>[] = [];
  private polling: NodeJS.Timeout | undefined;

  constructor(options: PositionsOptions) {
    this.options = options;
  }

  /** The groups whose read models this service answers from. */
  follow(groups: readonly Pick<Group, 'name' | 'follows'>[]): void {
    this.groups = groups;
  }

  /** Sources that nobody waits for at the moment. */
  get silentSources(): readonly Source[] {
    return [...this.silent.values()];
  }

  /** A batch has committed: whoever waited for this may go on. */
  applied(group: string, applied: readonly AppliedPosition[]): void {
    for (const { key, service, epoch, position } of applied) this.learn(idOf(group, key, service), { epoch, position });
    for (const service of new Set(applied.map((each) => each.service))) this.hear({ group, service });
    for (const waiter of this.waiters) if (this.isApplied(waiter.wanted)) waiter.end('applied');
  }

  /**
   * Waits until this service has applied other services' facts up to `min` for this person and organisation, at most
   * `timeoutMs` milliseconds. What this service itself wrote, or does not read, is not waited for. While a source brings
   * nothing at all only the first reader waits; the others get what there is at once.
   */
  async waitFor(
    min: LogPositions,
    reader: Reader,
    timeoutMs = this.options.waitMs ?? 1_000,
  ): Promise<'applied' | 'stale'> {
    const wanted = this.wantedOf(min, reader);
    if (this.isApplied(wanted)) return 'applied';
    const isVain = this.missing(wanted).some((want) => this.silent.has(nameOf(want)));
    const since = performance.now();
    return new Promise((resolve) => {
      const end = (outcome: 'applied' | 'stale') => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(outcome);
      };
      const giveUp = () => {
        if (!isVain) this.noteSilence(wanted, since);
        end('stale');
      };
      const timer = setTimeout(giveUp, isVain ? Math.min(glanceMs, timeoutMs) : timeoutMs);
      const waiter: Waiter = { wanted, isVain, end };
      this.waiters.add(waiter);
      // What this process applies it hears of at once; the database knows what others did, and what was before its start.
      if (this.polling === undefined) this.poll(!isVain && this.isHeardOf(wanted) ? this.pollMs : 0);
    });
  }

  private noteSilence(wanted: readonly Wanted[], since: number): void {
    for (const { group, service } of this.missing(wanted)) {
      const source = { group, service };
      if ((this.heardAt.get(nameOf(source)) ?? -Infinity) < since) this.silent.set(nameOf(source), source);
    }
  }

  private hear(source: Source): void {
    this.heardAt.set(nameOf(source), performance.now());
    this.silent.delete(nameOf(source));
  }

  private wantedOf(min: LogPositions, reader: Reader): Wanted[] {
    return Object.entries(min).flatMap(([name, position]) => {
      const service = name as ServiceName;
      const key = awaitedKeyOf(service, reader)?.id;
      if (service === this.options.service || key === undefined) return [];
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

  private isHeardOf(wanted: readonly Wanted[]): boolean {
    return wanted.every((want) => this.known.has(idOf(want.group, want.key, want.service)));
  }

  private get pollMs(): number {
    return this.options.pollMs ?? 25;
  }

  private learn(id: string, position: LogPosition): void {
    if (!isUpTo(this.known.get(id), position)) this.known.set(id, position);
  }

  /** One question to the database for all who wait. */
  private poll(delayMs: number): void {
    const ask = () => {
      this.ask()
        // While the database is away nobody is served sooner by an error: they wait on, then read what there is.
        .catch(() => undefined)
        .finally(() => {
          this.polling = undefined;
          if (this.waiters.size > 0) this.poll(this.pollMs);
        });
    };
    // One asks for all who wait: neither reading only nor the deadline of the first of them is everybody's.
    this.polling = outsideRequests(() => setTimeout(ask, delayMs));
  }

  private async ask(): Promise<void> {
    const asking = [...this.waiters];
    const wanted = asking.flatMap((waiter) => waiter.wanted);
    const { rows } = await this.options.pool.query<{
      group: string;
      key: string;
      service: ServiceName;
      epoch: number;
      at: number | null;
    }>(
      `with wanted as (select * from unnest($1::text[], $2::text[], $3::text[]) as w(consumer_group, key, service))
       select consumer_group as group, key, service, epoch, position as at from msg.applied_at($1, $2, $3)
       union all
       select consumer_group, key, w.service, 0, null from msg.parked p join wanted w using (consumer_group, key)`,
      [wanted.map(({ group }) => group), wanted.map(({ key }) => key), wanted.map(({ service }) => service)],
    );
    const parked = new Set(rows.filter(({ at }) => at === null).map((row) => idOf(row.group, row.key, row.service)));
    for (const { group, key, service, epoch, at } of rows) {
      if (at === null) continue;
      const position = { epoch, position: at };
      const before = this.known.get(idOf(group, key, service));
      // What was not known here may be old; what has moved on was moved by a process that hears its source.
      if (before && !isUpTo(before, position)) this.hear({ group, service });
      this.learn(idOf(group, key, service), position);
    }
    for (const waiter of asking) {
      if (this.isApplied(waiter.wanted)) waiter.end('applied');
      else if (waiter.isVain) waiter.end('stale');
      // A parked key stands still until somebody mends it: waiting would only be slow.
      else if (waiter.wanted.some((want) => parked.has(idOf(want.group, want.key, want.service)))) waiter.end('stale');
    }
  }
}

const nameOf = ({ group, service }: Source) => `${group} ${service}`;
const idOf = (group: string, key: string, service: string) => `${group} ${service} ${key}`;
