import { startFloor, startNginx } from '../child.ts';
import { gatewayBefore } from '../floors/gateway-env.ts';
import { interleave, judge, type Finding, type Sample } from '../harness.ts';
import { cpuMicroseconds } from '../processes.ts';
import { runningProduct } from '../product.ts';
import { wrk } from '../wrk.ts';

const seconds = 2;
const path = '/.well-known/jwks.json';

/** G2: against nginx in front of the same service. */
export async function passThrough(): Promise<Finding[]> {
  const { redis } = runningProduct();
  const hello = await startFloor('floors/hello.mjs');
  const nginx = await startNginx(hello.url);
  const gateway = await startFloor('floors/gateway.ts', [], gatewayBefore(hello.url, redis));
  const nginxPid = await nginx.workerPid();
  const measure = (url: string, connections: number, pid?: number) => async (): Promise<Sample> => {
    const before = pid ? cpuMicroseconds(pid) : 0;
    const load = await wrk({ url: url + path, connections, seconds });
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} requests to ${url} failed`);
    return {
      rate: load.requestsPerSecond,
      p50: load.p50Milliseconds,
      cpu: pid ? (cpuMicroseconds(pid) - before) / load.requests : 0,
    };
  };
  try {
    const { direct, nginx1, gateway1, nginx32, gateway32 } = await interleave({
      direct: measure(hello.url, 1),
      nginx1: measure(nginx.url, 1, nginxPid),
      gateway1: measure(gateway.url, 1, gateway.pid),
      nginx32: measure(nginx.url, 32, nginxPid),
      gateway32: measure(gateway.url, 32, gateway.pid),
    });
    const addedMilliseconds = (proxy: typeof direct) => proxy.median('p50') - direct.median('p50');
    const microseconds = (milliseconds: number) => Math.round(milliseconds * 1000);
    return [
      judge({
        goal: 'G2',
        what: `CPU per passed request against nginx (${Math.round(gateway32.median('cpu'))} µs of ${Math.round(nginx32.median('cpu'))} µs)`,
        value: gateway32.median('cpu') / nginx32.median('cpu'),
        wanted: { atMost: 2.2 },
        unit: '×',
        floorSpread: nginx32.spread('cpu'),
      }),
      judge({
        goal: 'G2',
        what: `time added at one connection against nginx (${microseconds(addedMilliseconds(gateway1))} µs of ${microseconds(addedMilliseconds(nginx1))} µs)`,
        value: addedMilliseconds(gateway1) / addedMilliseconds(nginx1),
        wanted: { atMost: 1.6 },
        unit: '×',
        floorSpread: nginx1.spread('p50'),
      }),
    ];
  } finally {
    for (const child of [gateway, nginx, hello]) child.stop();
  }
}
