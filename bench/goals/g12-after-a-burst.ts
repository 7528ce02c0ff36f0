import { setTimeout as pause } from 'node:timers/promises';
import { judge, type Finding } from '../harness.ts';
import { type Product, runningProduct, signUpPeople } from '../product.ts';
import { runTimed } from '../progress.ts';
import { logScript, wrk } from '../wrk.ts';

const people = 48;
const burstSeconds = 12;
/** Until statistics were taken of what the quiet organisation has logged. */
const settleSeconds = Number(process.env['BENCH_SETTLE_SECONDS'] ?? 75);
const rounds = 4;
const pages = ['/api/dashboard/stats', '/api/leaderboard', '/api/feed/all?limit=10'] as const;

/** G12: what is left of the reading rate in the minute after a burst of logs of a new organisation. */
export async function afterABurst(): Promise<Finding[]> {
  const product = runningProduct();
  const known = await burst(product);
  await runTimed(`${settleSeconds} s for statistics`, () => pause(settleSeconds * 1_000));
  const quiet = await rates(product, known);
  const loud = await burst(product);
  const after: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round += 1) after.push(await rates(product, loud));
  return pages.map((page) => {
    const seen = after.map((round) => round[page] ?? 0);
    const before = quiet[page] ?? 0;
    const told = seen.map((rate) => Math.round(rate)).join(', ');
    return judge({
      goal: 'G12',
      what: `${page} a second in the minute after a burst: ${told}; ${Math.round(before)} of a quiet organisation of ${people}`,
      value: Math.min(...seen) / before,
      wanted: { atLeast: 0.8 },
      unit: '×',
    });
  });
}

async function burst(product: Product): Promise<string> {
  const tokens = await signUpPeople(product, people);
  const script = logScript(tokens);
  const { requests } = await wrk({ url: `${product.url}/api/log`, connections: 16, seconds: burstSeconds, script });
  process.stdout.write(`  ${requests} logs in ${burstSeconds} s\n`);
  return tokens[1] ?? '';
}

async function rates(product: Product, token: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const page of pages) {
    const headers = { authorization: `Bearer ${token}` };
    const load = await wrk({ url: product.url + page, connections: 16, seconds: 4, headers });
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} requests to ${page} failed`);
    found[page] = load.requestsPerSecond;
  }
  return found;
}
