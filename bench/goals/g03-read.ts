import { startFloor } from '../child.ts';
import { interleave, judge, type Finding, type Sample } from '../harness.ts';
import { cpuMicroseconds } from '../processes.ts';
import { pidOf, runningProduct, signUpPeople } from '../product.ts';
import { wrk } from '../wrk.ts';

const seconds = 3;

/** G3: against bare Fastify that makes the same checks and the same query. */
export async function authenticatedRead(): Promise<Finding[]> {
  const product = runningProduct();
  const [token = ''] = await signUpPeople(product, 1);
  const url = product.services['activity'] ?? '';
  const env = {
    DATABASE_URL: product.postgres['activity'],
    REDIS_URL: product.redis,
    IDENTITY_URL: product.services['identity'],
    SERVICE_CREDENTIAL: product.serviceCredential,
  };
  const floor = await startFloor('floors/read-directly.ts', [token], env);
  const measure = (base: string, pid: number) => async (): Promise<Sample> => {
    const before = cpuMicroseconds(pid);
    const load = await wrk({
      url: `${base}/api/user-activities/frequent`,
      connections: 16,
      seconds,
      headers: { authorization: `Bearer ${token}` },
    });
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} requests to ${base} failed`);
    return { cpu: (cpuMicroseconds(pid) - before) / load.requests, rate: load.requestsPerSecond };
  };
  try {
    const { bare, ours } = await interleave({
      bare: measure(floor.url, floor.pid),
      ours: measure(url, pidOf(product, 'activity')),
    });
    return [
      judge({
        goal: 'G3',
        what: `share of bare Fastify kept by an authenticated read (CPU per request ${Math.round(bare.median('cpu'))} µs of ${Math.round(ours.median('cpu'))} µs)`,
        value: bare.median('cpu') / ours.median('cpu'),
        wanted: { atLeast: 0.6 },
        unit: '×',
        floorSpread: bare.spread('cpu'),
      }),
    ];
  } finally {
    floor.stop();
  }
}
