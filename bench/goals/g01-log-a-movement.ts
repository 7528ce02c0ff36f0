import { startFloor } from '../child.ts';
import { interleave, judge, type Finding, type Sample } from '../harness.ts';
import { withDescendants } from '@caravan/caravan/process/process-tree';
import { cpuMicrosecondsOf } from '../processes.ts';
import { pidOf, runningProduct, signUpPeople } from '../product.ts';
import { logScript, wrk } from '../wrk.ts';

const seconds = 3;

/** G1: against bare Fastify and pg with one statement. */
export async function logAMovement(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, 40);
  const floor = await startFloor('floors/log-directly.ts', [new URL('/caravan_activity', product.postgresOwner).href]);
  const script = logScript(tokens);
  const postgres = () => withDescendants(pidOf(product, 'postgres'));
  const measure =
    (url: string, connections: number, pids: Record<string, () => number[]>) => async (): Promise<Sample> => {
      const before = Object.fromEntries(Object.entries(pids).map(([name, of]) => [name, cpuMicrosecondsOf(of())]));
      const load = await wrk({ url, connections, seconds, script });
      if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} requests to ${url} failed`);
      const cpu = Object.entries(pids).map(([name, of]) => [
        name,
        (cpuMicrosecondsOf(of()) - (before[name] ?? 0)) / load.requests,
      ]);
      return {
        rate: load.requestsPerSecond,
        p50: load.p50Milliseconds,
        p99: load.p99Milliseconds,
        ...(Object.fromEntries(cpu) as Sample),
      };
    };
  const ofProduct = Object.fromEntries(
    ['gateway', 'activity', 'scoring', 'social', 'identity', 'kafka'].map((name) => [
      name,
      () => [pidOf(product, name)],
    ]),
  );
  try {
    const series = await interleave({
      floor1: measure(`${floor.url}/log`, 1, { floor: () => [floor.pid], postgres }),
      product1: measure(`${product.url}/api/log`, 1, { ...ofProduct, postgres }),
      floor16: measure(`${floor.url}/log`, 16, { floor: () => [floor.pid], postgres }),
      product16: measure(`${product.url}/api/log`, 16, { ...ofProduct, postgres }),
    });
    const { floor1, product1, floor16, product16 } = series;
    const cpu = [...Object.keys(ofProduct), 'postgres']
      .map((name) => `${name} ${Math.round(product16.median(name))}`)
      .join(', ');
    return [
      judge({
        goal: 'G1',
        what: `logs a second at 16 connections against the floor (${Math.round(product16.median('rate'))} of ${Math.round(floor16.median('rate'))}; CPU-µs per log: ${cpu}; floor ${Math.round(floor16.median('floor'))} + postgres ${Math.round(floor16.median('postgres'))})`,
        value: product16.median('rate') / floor16.median('rate'),
        wanted: { atLeast: 0.4 },
        unit: '×',
        floorSpread: floor16.spread('rate'),
      }),
      judge({
        goal: 'G1',
        what: `p50 of one client against the floor (${product1.median('p50').toFixed(2)} ms of ${floor1.median('p50').toFixed(2)} ms)`,
        value: product1.median('p50') / floor1.median('p50'),
        wanted: { atMost: 2.5 },
        unit: '×',
        floorSpread: floor1.spread('p50'),
      }),
    ];
  } finally {
    floor.stop();
  }
}
