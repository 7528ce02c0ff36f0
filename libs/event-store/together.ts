import type { Tx } from './event-store.ts';

/** Does for many what callers ask for one at a time; answers in the order of the items. */
export type ForAll<Item, Result> = (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>;

type Asked = {
  readonly item: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};
type AnyForAll = ForAll<unknown, unknown>;

const askedOf = new WeakMap<Tx, Map<AnyForAll, Asked[]>>();

/**
 * Lets what several callers ask of one transaction in the same turn of the event loop be done at once: most of what a
 * statement costs does not depend on its rows. `forAll` must be the same function for all who are to share; it runs for
 * a lone item too.
 */
export function together<Item, Result>(tx: Tx, forAll: ForAll<Item, Result>, item: Item): Promise<Result> {
  return new Promise<unknown>((resolve, reject) => {
    let asked = askedOf.get(tx);
    if (!asked) {
      asked = new Map<AnyForAll, Asked[]>();
      askedOf.set(tx, asked);
      setImmediate(() => answerAll(tx));
    }
    const same = asked.get(forAll as AnyForAll);
    const mine: Asked = { item, resolve, reject };
    if (same) same.push(mine);
    else asked.set(forAll as AnyForAll, [mine]);
  }) as Promise<Result>;
}

function answerAll(tx: Tx): void {
  const asked = askedOf.get(tx);
  askedOf.delete(tx);
  for (const [forAll, all] of asked ?? []) void answer(tx, forAll, all);
}

async function answer(tx: Tx, forAll: AnyForAll, all: readonly Asked[]): Promise<void> {
  try {
    const items = all.map(({ item }) => item);
    const results = await forAll(tx, items);
    if (results.length !== items.length) throw new Error(`${results.length} answers to ${items.length} questions`);
    all.forEach(({ resolve }, nth) => resolve(results[nth]));
  } catch (error) {
    for (const { reject } of all) reject(error);
  }
}
