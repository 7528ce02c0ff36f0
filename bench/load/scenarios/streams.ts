import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { longOr } from '../../form.ts';
import { type Finding, judge, percentile, tell } from '../../harness.ts';
import { memoryMiB } from '../../processes.ts';
import { pidOf, runningProduct } from '../../product.ts';
import { runTimed } from '../../progress.ts';
import { colleagues, members, oneOf } from '../people.ts';
import { play } from '../scenario.ts';
import type { Heard, Opening } from '../stream-client.ts';

const goal = 'LOAD-STREAMS';
/** What one session may have open. */
const perMember = 5;
const logsPerSecond = longOr(4, 2);
const settleMilliseconds = 3_000;

/** Every page of the company is open, and learns of every log. */
export async function openStreams(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await colleagues(product);
  const gateway = () => memoryMiB(pidOf(product, 'gateway')).rss;
  const before = gateway();
  const opening: Opening = { url: product.url, tokens, perToken: perMember };
  const worker = new Worker(new URL('../stream-client.ts', import.meta.url), {
    workerData: opening,
    execArgv: ['--import', 'tsx'],
  });
  const streams = members * perMember;
  await runTimed(`${streams} streams are open`, () => once(worker, 'message'));
  const kilobytes = ((gateway() - before) * 1_024) / streams;
  const answeredAt = new Map<string, number>();
  const findings = await play(product, {
    goal,
    told: `people log while ${streams} streams are open`,
    climbs: false,
    visitsPerSecond: logsPerSecond,
    atMostMilliseconds: 500,
    visit: async (visitors, nth) => {
      const body = { activityType: 'Walking', durationMinutes: 10 };
      const token = oneOf(tokens, nth);
      const log = { act: 'log', method: 'POST', path: '/api/log', token, body } as const;
      const { id } = logAnswerSchema.parse(await visitors.ask(log));
      answeredAt.set(id, performance.timeOrigin + performance.now());
    },
  });
  await pause(settleMilliseconds);
  worker.postMessage('end');
  const [heard] = (await once(worker, 'message')) as [Heard];
  return [...findings, ...findingsOf(heard, answeredAt, { streams, kilobytes })];
}

function findingsOf(
  { heardAt, messages, ended }: Heard,
  answeredAt: ReadonlyMap<string, number>,
  { streams, kilobytes }: { streams: number; kilobytes: number },
): Finding[] {
  const waits = [...answeredAt].flatMap(([id, at]) => (heardAt.get(id) ?? []).map((time) => Math.max(0, time - at)));
  const missing = answeredAt.size * streams - waits.length;
  const what = (about: string) => `${about}, ${streams} streams, ${logsPerSecond} logs a second`;
  const wait = (name: string, share: number) =>
    judge({
      goal,
      what: what(`${name} from an answered log to its news on every stream`),
      value: percentile(waits, share),
      wanted: { atMost: 2_000 },
      unit: ' ms',
    });
  return [
    wait('p50', 0.5),
    wait('p95', 0.95),
    wait('p99', 0.99),
    judge({ goal, what: what(`of ${messages} messages: posts never told`), value: missing, wanted: { atMost: 0 } }),
    judge({ goal, what: what('streams that ended'), value: ended, wanted: { atMost: 0 } }),
    tell({ goal, what: what("the gateway's memory for each"), value: kilobytes, unit: ' KiB', isBetter: 'lower' }),
  ];
}
