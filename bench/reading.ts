import { cpuMicroseconds, cpuMicrosecondsOfFamily } from './processes.ts';
import { pidOf, type Product } from './product.ts';
import type { Sample } from './harness.ts';
import { wrk } from './wrk.ts';

const servers = ['gateway', 'identity', 'activity', 'scoring', 'social', 'redis'] as const;

export function cpuOfProduct(product: Product): number {
  const ofServers = servers.reduce((sum, name) => sum + cpuMicroseconds(pidOf(product, name)), 0);
  return ofServers + cpuMicrosecondsOfFamily(pidOf(product, 'postgres'));
}

/** Its median, and the CPU of everything for each request. */
export async function readingOf(
  product: Product,
  { path, token, seconds = 1 }: { path: string; token: string; seconds?: number },
): Promise<Sample> {
  const headers = { authorization: `Bearer ${token}` };
  const url = product.url + path;
  // The first look may have work to do that no later one has.
  const askedAt = performance.now();
  const first = await fetch(url, { headers });
  await first.arrayBuffer();
  if (!first.ok) throw new Error(`${path} answered ${first.status}`);
  const firstMilliseconds = performance.now() - askedAt;
  const before = cpuOfProduct(product);
  const { requests, failed, p50Milliseconds } = await wrk({ url, connections: 1, seconds, headers });
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${path} failed`);
  return {
    p50: requests > 0 ? p50Milliseconds : firstMilliseconds,
    cpu: (cpuOfProduct(product) - before) / Math.max(requests, 1),
  };
}
