import { serviceNames, type ServiceName } from '@caravan/contracts/topics';
import { LRUCache } from 'lru-cache';

/** How long a member's own write is waited for by the member's reads. */
export const rememberMilliseconds = 60_000;

type Positions = Partial<Record<ServiceName, number>>;

/** Reads `activity:123` or `activity:123,identity:45`; anything else is left out. */
export function parsePositions(header: string): Positions {
  const positions: Positions = {};
  for (const part of header.split(',')) {
    const [name, digits] = part.trim().split(':');
    const service = serviceNames.find((known) => known === name);
    const position = Number(digits);
    if (service && Number.isSafeInteger(position) && position > 0) positions[service] = position;
  }
  return positions;
}

/** Writes the header that a serving service waits for. */
export function formatPositions(positions: Positions): string {
  return Object.entries(positions)
    .map(([service, position]) => `${service}:${position}`)
    .join(',');
}

/**
 * The newest position per service that each member has written, for 60 s, so that the member's next read sees it
 * whichever service answers.
 */
export class MinPositions {
  private readonly byUser = new LRUCache<string, Positions>({ max: 100_000, ttl: rememberMilliseconds });

  /** Keeps the highest position per service. Answers whether anything was new. */
  remember(userId: string, written: Positions): boolean {
    const known = this.byUser.get(userId) ?? {};
    const newer = Object.entries(written).filter(
      ([service, position]) => position > (known[service as ServiceName] ?? 0),
    );
    if (newer.length === 0) return false;
    this.byUser.set(userId, { ...known, ...Object.fromEntries(newer) });
    return true;
  }

  /** What this member's reads must have seen; undefined when nothing was written lately. */
  of(userId: string): Positions | undefined {
    return this.byUser.get(userId);
  }
}
