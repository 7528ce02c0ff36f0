import { isUpTo, type LogPosition, type LogPositions } from '@caravan/contracts/events/log-position';
import type { ServiceName } from '@caravan/contracts/events/topics';
import { LRUCache } from 'lru-cache';

/** How long a member's reads wait for what the member wrote. */
export const writtenMilliseconds = 60_000;
/** How long commands wait for what the member was shown: whoever saw a team, on a page left open, earns for it. */
export const shownMilliseconds = 60 * 60_000;

type Remembered = Partial<Record<ServiceName, { readonly position: LogPosition; readonly until: number }>>;

const lifeOf = (service: ServiceName): number => (service === 'identity' ? shownMilliseconds : writtenMilliseconds);

export class MinPositions {
  private readonly byUser = new LRUCache<string, Remembered>({ max: 100_000 });
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Answers whether others should hear: it is new, or half forgotten. */
  remember(userId: string, told: LogPositions): boolean {
    const now = this.now();
    const known = this.byUser.get(userId) ?? {};
    const news = Object.entries(told).flatMap(([name, position]) => {
      const service = name as ServiceName;
      const life = lifeOf(service);
      const { position: before, until } = known[service] ?? { position: undefined, until: 0 };
      const isPast = !isUpTo(position, before ?? position);
      const isSame = isUpTo(before, position);
      const isKnown = isPast ? until > now : isSame && until - now > life / 2;
      return isKnown ? [] : [[service, { position, until: now + life }] as const];
    });
    if (news.length === 0) return false;
    this.byUser.set(userId, { ...known, ...Object.fromEntries(news) });
    return true;
  }

  of(userId: string): LogPositions | undefined {
    const known = this.byUser.get(userId);
    if (!known) return undefined;
    const now = this.now();
    const due = Object.entries(known).filter(([, { until }]) => until > now);
    if (due.length > 0) return Object.fromEntries(due.map(([service, { position }]) => [service, position]));
    this.byUser.delete(userId);
    return undefined;
  }
}
