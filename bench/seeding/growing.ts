import type { Product } from '../product.ts';
import { runTimed } from '../progress.ts';
import { awaitBoards } from './boards.ts';
import { compareWithFounder } from './comparing.ts';
import type { Crowd } from './crowd.ts';
import { vacuum } from './databases.ts';
import { foundPlace, type Place } from './place.ts';
import { rebuildables, rebuildOne } from './rebuilding.ts';
import { appendCrowds } from './seed.ts';

export type Growth = { readonly of: Crowd['of']; readonly logs: number };

export async function grow(product: Product, growths: readonly Growth[]): Promise<Place[]> {
  const at = new Date();
  const crowds: Crowd[] = [];
  // One after the other: their numbers tell them apart.
  for (const { of, logs } of growths) crowds.push({ place: await foundPlace(product), at, of, logs });
  const logs = growths.reduce((sum, growth) => sum + growth.logs, 0);
  await runTimed(`${logs.toLocaleString('en')} logs in ${growths.length} organisations are recorded`, () =>
    appendCrowds(product, crowds),
  );
  await runTimed('the read models are rebuilt from them', () => rebuildAll(product));
  await runTimed('the tables are vacuumed', () => vacuum(product));
  const [crowd] = crowds.filter(({ of }) => of === 'members');
  if (crowd) await runTimed('a grown member is like one who signed up', () => compareWithFounder(product, crowd));
  const places = crowds.map(({ place }) => place);
  await runTimed('the boards are built', () => awaitBoards(product, places));
  return places;
}

/** Two at a time: the services' databases have nothing to do with each other. */
async function rebuildAll(product: Product): Promise<void> {
  const each = Object.values(Object.groupBy(rebuildables(), ({ service }) => service));
  await Promise.all(
    each.map(async (ofService) => {
      for (const rebuildable of ofService) await rebuildOne(product, rebuildable);
    }),
  );
}
