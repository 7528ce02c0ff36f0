import { interleave, judge, type Finding } from '../harness.ts';
import type { Product } from '../product.ts';
import { readingOf } from '../reading.ts';
import { grownWorld, largestOf } from '../seeding/world.ts';

const first = '/api/feed/all?limit=10';
/** The first is read once for all who see the same (design/live-pages.md). */
const nearPage = 2;
const deepPage = 500;
const seconds = 2;

/** G6: page 500 against page 2. */
export async function deepFeed(): Promise<Finding[]> {
  const world = await grownWorld();
  const { product } = world;
  const { token } = largestOf(world).place.founder;
  const near = await pathOfPage(product, token, nearPage);
  const deep = await pathOfPage(product, token, deepPage);
  const { one, far } = await interleave({
    one: () => readingOf(product, { path: near, token, seconds }),
    far: () => readingOf(product, { path: deep, token, seconds }),
  });
  const listFigures = (figure: 'p50' | 'cpu', digits: number) =>
    `${far.median(figure).toFixed(digits)} of ${one.median(figure).toFixed(digits)}`;
  return [
    judge({
      goal: 'G6',
      what: `a feed's page ${deepPage} against its page ${nearPage} (${listFigures('p50', 2)} ms; CPU ${listFigures('cpu', 0)} µs)`,
      value: far.median('p50') / one.median('p50'),
      wanted: { atMost: 1.2 },
      unit: '×',
      floorSpread: one.spread('p50'),
    }),
  ];
}

async function pathOfPage(product: Product, token: string, page: number): Promise<string> {
  let path = first;
  for (let nth = 1; nth < page; nth += 1) {
    const answer = await fetch(product.url + path, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    const [, next] = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
    if (next === undefined) throw new Error(`The feed ends at page ${nth}`);
    path = next;
  }
  return path;
}
