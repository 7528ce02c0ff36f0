import { runningProduct, type Product } from '../product.ts';
import { grow, type Growth } from './growing.ts';
import type { Place } from './place.ts';

/** A smaller largest one is for trying the goals out. */
const largest = Number(process.env['BENCH_LARGEST'] ?? 1_000_000);
export const memberSizes: readonly number[] = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= largest);
export const historySizes: readonly number[] = [10, Math.min(100_000, largest)];

export type World = {
  readonly product: Product;
  /** The smallest first. */
  readonly byMembers: readonly { readonly size: number; readonly place: Place }[];
  readonly byHistory: readonly { readonly size: number; readonly place: Place }[];
};

let made: Promise<World> | undefined;

export function grownWorld(): Promise<World> {
  made ??= makeWorld();
  return made;
}

async function makeWorld(): Promise<World> {
  const product = runningProduct();
  const growths: Growth[] = [
    ...memberSizes.map((logs) => ({ of: 'members', logs }) as const),
    ...historySizes.map((logs) => ({ of: 'history', logs }) as const),
  ];
  const places = await grow(product, growths);
  const sized = growths.map(({ of, logs }, index) => ({ of, size: logs, place: places[index] as Place }));
  return {
    product,
    byMembers: sized.filter(({ of }) => of === 'members'),
    byHistory: sized.filter(({ of }) => of === 'history'),
  };
}

export function largestOf({ byMembers }: World): { size: number; place: Place } {
  const last = byMembers.at(-1);
  if (!last) throw new Error('There is no organisation to measure');
  return last;
}
