import type { Tx } from '../core/event-store.ts';
import { sharedOf } from './unit-transaction.ts';

export type Bulk<Item, Result> = (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>;

type Call = {
  readonly item: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};
type AnyBulk = Bulk<unknown, unknown>;

const callsOf = new WeakMap<Tx, Map<AnyBulk, Call[]>>();

/** Coalesces what callers ask of one transaction in the same iteration of the event loop; `bulk` is the same function for all who share. */
export function coalesce<Item, Result>(asked: Tx, bulk: Bulk<Item, Result>, item: Item): Promise<Result> {
  const tx = sharedOf(asked);
  return new Promise<unknown>((resolve, reject) => {
    let calls = callsOf.get(tx);
    if (!calls) {
      calls = new Map<AnyBulk, Call[]>();
      callsOf.set(tx, calls);
      setImmediate(() => answerAll(tx));
    }
    const waiting = calls.get(bulk as AnyBulk);
    const call: Call = { item, resolve, reject };
    if (waiting) waiting.push(call);
    else calls.set(bulk as AnyBulk, [call]);
  }) as Promise<Result>;
}

function answerAll(tx: Tx): void {
  const calls = callsOf.get(tx);
  callsOf.delete(tx);
  for (const [bulk, all] of calls ?? []) void answer(tx, bulk, all);
}

async function answer(tx: Tx, bulk: AnyBulk, all: readonly Call[]): Promise<void> {
  try {
    const items = all.map(({ item }) => item);
    const results = await bulk(tx, items);
    if (results.length !== items.length) throw new Error(`${results.length} answers to ${items.length} questions`);
    all.forEach(({ resolve }, nth) => resolve(results[nth]));
  } catch (error) {
    for (const { reject } of all) reject(error);
  }
}
