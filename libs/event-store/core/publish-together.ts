import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from './event-store.ts';
import type { OutgoingEvent } from './public-events.ts';

/** How many at most go together: the lock of each key is held until the transaction ends. */
export const mostPublishedTogether = 500;

export type FactOfMany = OutgoingEvent & {
  readonly orgId: string;
  readonly key: string;
  readonly at: Date;
};

/** Facts of the system by one statement, those of one key in this order; nobody waits for their positions. Once in a transaction: it takes the locks of all keys, sorted. */
export async function publishTogether(tx: Tx, facts: readonly FactOfMany[]): Promise<void> {
  if (facts.length === 0) return;
  const told = facts.map(({ orgId: org, isKept = true, ...fact }) => ({
    org,
    id: randomUUIDv7(),
    is_kept: isKept,
    ...fact,
  }));
  await tx.query('select es.publish_together($1)', [JSON.stringify(told)]);
}
