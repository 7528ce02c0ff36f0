import { isUpTo, type LogPosition, type LogPositions } from '@caravan/contracts/log-position';
import { awaitedKeyOf, type Reader, type ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import { LRUCache } from 'lru-cache';
import type { Group } from './groups.ts';
import type { AppliedPosition } from './ledger.ts';

export type PositionsOptions = {
  readonly service: ServiceName;
  readonly pool: Tx;
  /** How often the database is asked while somebody waits, for what other processes apply; 25 unless said otherwise. */
  readonly pollMs?: number;
};

type Wanted = {
  readonly group: string;
  readonly key: string;
  readonly service: ServiceName;
  readonly place: LogPosition;
};
type Waiter = { readonly wanted: readonly Wanted[]; end(outcome: 'applied' | 'stale'): void };

/** Knows how far this service's read models are, and lets a reader wait until they are far enough. */
export class Positions {
  private readonly options: PositionsOptions;
  private readonly known = new LRUCache<string, LogPosition>({ max: 50_000 });
  private readonly waiters = new Set<Waiter>();
  private groups: readonly Pick<Group, 'name' | 'follows'>[] = [];
  private polling: NodeJS.Timeout | undefined;

  constructor(options: PositionsOptions) {
    this.options = options;
  }

  /** The groups whose read models this service answers from. */
  follow(groups: readonly Pick<Group, 'name' | 'follows'>[]): void {
    this.groups = groups;
  }

  /** A batch has committed: whoever waited for this may go on. */
  applied(group: string, applied: readonly AppliedPosition[]): void {
    for (const { key, service, epoch, position } of applied) this.learn(idOf(group, key, service), { epoch, position });
    for (const waiter of this.waiters) if (this.isApplied(waiter.wanted)) waiter.end('applied');
  }

  /**
   * Waits until this service has applied other services' facts up to `min` for this person and organisation, at most
   * `timeoutMs` milliseconds. What this service itself wrote, or does not read, is not waited for.
   */
  async waitFor(min: LogPositions, reader: Reader, timeoutMs = 1_000): Promise<'applied' | 'stale'> {
    const wanted = this.wantedOf(min, reader);
    if (this.isApplied(wanted)) return 'applied';
    return new Promise((resolve) => {
      const end = (outcome: 'applied' | 'stale') => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(outcome);
      };
      const timer = setTimeout(() => end('stale'), timeoutMs);
      const waiter: Waiter = { wanted, end };
      this.waiters.add(waiter);
      // What this process applies it hears of at once; the database knows what others did, and what was before its start.
      if (this.polling === undefined) this.poll(this.isHeardOf(wanted) ? this.pollMs : 0);
    });
  }

  private wantedOf(min: LogPositions, reader: Reader): Wanted[] {
    return Object.entries(min).flatMap(([name, place]) => {
      const service = name as ServiceName;
      const key = awaitedKeyOf(service, reader)?.id;
      if (service === this.options.service || key === undefined) return [];
      return this.groups
        .filter(({ follows }) => follows.has(service))
        .map((group) => ({ group: group.name, key, service, place }));
    });
  }

  private isApplied(wanted: readonly Wanted[]): boolean {
    return wanted.every(({ group, key, service, place }) => isUpTo(this.known.get(idOf(group, key, service)), place));
  }

  private isHeardOf(wanted: readonly Wanted[]): boolean {
    return wanted.every((want) => this.known.has(idOf(want.group, want.key, want.service)));
  }

  private get pollMs(): number {
    return this.options.pollMs ?? 25;
  }

  private learn(id: string, place: LogPosition): void {
    if (!isUpTo(this.known.get(id), place)) this.known.set(id, place);
  }

  /** One question to the database for all who wait. */
  private poll(delayMs: number): void {
    this.polling = setTimeout(() => {
      this.ask()
        // While the database is away nobody is served sooner by an error: they wait on, then read what there is.
        .catch(() => undefined)
        .finally(() => {
          this.polling = undefined;
          if (this.waiters.size > 0) this.poll(this.pollMs);
        });
    }, delayMs);
  }

  private async ask(): Promise<void> {
    const wanted = [...this.waiters].flatMap((waiter) => waiter.wanted);
    const { rows } = await this.options.pool.query<{
      group: string;
      key: string;
      service: ServiceName;
      epoch: number;
      at: number | null;
    }>(
      `with wanted as (select * from unnest($1::text[], $2::text[], $3::text[]) as w(consumer_group, key, service))
       select consumer_group as group, key, service, epoch, position as at
       from msg.applied join wanted using (consumer_group, key, service)
       union all
       select consumer_group, key, w.service, 0, null from msg.parked p join wanted w using (consumer_group, key)`,
      [wanted.map(({ group }) => group), wanted.map(({ key }) => key), wanted.map(({ service }) => service)],
    );
    const parked = new Set(rows.filter(({ at }) => at === null).map((row) => idOf(row.group, row.key, row.service)));
    for (const { group, key, service, epoch, at } of rows)
      if (at !== null) this.learn(idOf(group, key, service), { epoch, position: at });
    for (const waiter of this.waiters) {
      if (this.isApplied(waiter.wanted)) waiter.end('applied');
      // A parked key stands still until somebody mends it: waiting would only be slow.
      else if (waiter.wanted.some((want) => parked.has(idOf(want.group, want.key, want.service)))) waiter.end('stale');
    }
  }
}

const idOf = (group: string, key: string, service: string) => `${group} ${service} ${key}`;
