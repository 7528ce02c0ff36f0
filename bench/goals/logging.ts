import type { Product } from '../product.ts';
import type { Sample } from '../harness.ts';
import { cpuOfProduct } from '../reading.ts';
import { logScript, wrk } from '../wrk.ts';

/** The median of a log, and the CPU of everything that follows from it. */
export async function loggingOf(product: Product, token: string): Promise<Sample> {
  const before = cpuOfProduct(product);
  const url = `${product.url}/api/log`;
  const { requests, failed, p50Milliseconds } = await wrk({
    url,
    connections: 1,
    seconds: 1,
    script: logScript([token]),
  });
  if (failed > 0 || requests === 0) throw new Error(`${failed} of ${requests} logs failed`);
  await waitUntilSettled(product, token);
  return { p50: p50Milliseconds, cpu: (cpuOfProduct(product) - before) / requests };
}

async function waitUntilSettled(product: Product, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/api/dashboard/stats', '/api/me', '/api/feed/mine']) {
    for (;;) {
      const answer = await fetch(product.url + path, { headers });
      await answer.arrayBuffer();
      if (answer.ok && answer.headers.get('x-stale') !== 'true') break;
    }
  }
}
