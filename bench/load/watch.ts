import { setTimeout as pause } from 'node:timers/promises';
import { withDescendants } from '@caravan/caravan/process/process-tree';
import { cpuMicroseconds, cpuMicrosecondsOfFamily, memoryMiB } from '../processes.ts';
import type { Product } from '../product.ts';
import { highestLags, type Lags, lagsIn } from './lags.ts';

const lookMilliseconds = 2_000;
/** Consumers that have not caught up by then do not. */
export const patienceSeconds = 60;

export type Watched = {
  /** Cores that each process was busy on. */
  readonly cores: Readonly<Record<string, number>>;
  /** Proportional memory at the end, and what came to it since the start. */
  readonly memoryMiB: Readonly<Record<string, { readonly now: number; readonly grown: number }>>;
  readonly highestLags: Lags;
  /** Until nothing was behind; undefined: it did not come to that. */
  readonly caughtUpAfterSeconds: number | undefined;
};

type Counted = Record<string, { readonly cpu: number; readonly memory: number }>;

const familyOf = (name: string, pid: number) => (name === 'postgres' ? withDescendants(pid) : [pid]);

function count({ pids }: Product): Counted {
  const all = Object.entries(pids).map(([name, pid]) => {
    const cpu = name === 'postgres' ? cpuMicrosecondsOfFamily(pid) : cpuMicroseconds(pid);
    const memory = familyOf(name, pid).reduce((sum, each) => sum + memoryOf(each), 0);
    return [name, { cpu, memory }] as const;
  });
  return Object.fromEntries(all);
}

/** A backend may end between the list and the look. */
function memoryOf(pid: number): number {
  try {
    return memoryMiB(pid).pss;
  } catch {
    return 0;
  }
}

async function lagsOf({ services, serviceCredential }: Product): Promise<Lags> {
  const headers = { 'x-service-credential': serviceCredential };
  const all = Object.entries(services).map(async ([service, url]) => {
    const answer = await fetch(`${url}/metrics`, { headers }).catch(() => undefined);
    return answer?.ok === true ? lagsIn(service, await answer.text()) : {};
  });
  return Object.assign({}, ...(await Promise.all(all))) as Lags;
}

/** CPU and memory by process, and how far every consumer is behind, from here until `end`. */
export function watch(product: Product): { end(): Promise<Watched> } {
  const startedAt = performance.now();
  const before = count(product);
  const looks: Lags[] = [];
  const ended = new AbortController();
  const looking = (async () => {
    while (!ended.signal.aborted) {
      looks.push(await lagsOf(product));
      await pause(lookMilliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    async end() {
      const seconds = (performance.now() - startedAt) / 1_000;
      const after = count(product);
      ended.abort();
      await looking;
      const caughtUpAfterSeconds = await untilCaughtUp(product, looks);
      const names = Object.keys(before).filter((name) => after[name] !== undefined);
      const of = <Value>(value: (name: string) => Value) =>
        Object.fromEntries(names.map((name) => [name, value(name)]));
      const figure = (counted: Counted, name: string, what: 'cpu' | 'memory') => counted[name]?.[what] ?? 0;
      return {
        cores: of((name) => (figure(after, name, 'cpu') - figure(before, name, 'cpu')) / 1e6 / seconds),
        memoryMiB: of((name) => {
          const now = figure(after, name, 'memory');
          return { now, grown: now - figure(before, name, 'memory') };
        }),
        highestLags: highestLags(looks),
        caughtUpAfterSeconds,
      };
    },
  };
}

/** Throws when consumers do not come to the end of what they are told. */
export async function caughtUp(product: Product): Promise<void> {
  const looks: Lags[] = [];
  if ((await untilCaughtUp(product, looks)) === undefined)
    throw new Error(`Consumers are still behind: ${JSON.stringify(looks.at(-1))}`);
}

async function untilCaughtUp(product: Product, looks: Lags[]): Promise<number | undefined> {
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1_000;
  while (seconds() < patienceSeconds) {
    const lags = await lagsOf(product);
    looks.push(lags);
    if (Object.values(lags).every((messages) => messages === 0)) return seconds();
    await pause(200);
  }
  return undefined;
}
