import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { judge, percentile, type Finding } from '../harness.ts';
import { company } from '../herd/company.ts';
import type { Logged, Logging, LoggingEnded } from '../herd/logger.ts';
import { type Asking, HerdPage, type Screen } from '../herd/page.ts';
import { runningProduct, type Product } from '../product.ts';

const shown: readonly Screen[] = [
  'dashboard',
  'dashboard',
  'board',
  'dashboard',
  'feed',
  'dashboard',
  'dashboard',
  'board',
  'dashboard',
  'feed',
];
const pagesOfMember = 4;
const seconds = 20;
const lookMilliseconds = 50;
/** Of a log: ten minutes. */
const milesOfLog = 1;

type Herd = { readonly organisations: number; readonly pages: number; readonly logsPerSecond: number };
const herds: readonly Herd[] = [
  { organisations: 1, pages: 1_000, logsPerSecond: 10 },
  { organisations: 30, pages: 3_000, logsPerSecond: 10 },
];

/** G14: pages are streams with the web app's own rule, not browsers; logs come from another thread. */
export async function herd(): Promise<Finding[]> {
  const product = runningProduct();
  const findings: Finding[] = [];
  for (const each of herds) findings.push(...(await stampede(product, each)));
  return findings;
}

type Company = { tokens: string[]; pages: HerdPage[]; loggedAt: number[]; numberOf: Map<string, number> };

async function stampede(product: Product, { organisations, pages, logsPerSecond }: Herd): Promise<Finding[]> {
  const pool = new Pool(product.url, { connections: 64 });
  const asking: Asking = { gets: 0, failed: 0, aborted: 0 };
  const each = pages / organisations;
  const companies: Company[] = [];
  for (let nth = 0; nth < organisations; nth += 1) {
    const tokens = await company(product, Math.ceil(each / pagesOfMember));
    const theirs: HerdPage[] = [];
    for (let index = 0; index < each; index += 1) {
      const token = tokens[index % tokens.length] ?? '';
      theirs.push(new HerdPage({ pool, url: product.url, token, asking }, shown[index % shown.length] ?? 'feed'));
    }
    for (let index = 0; index < each; index += 20)
      await Promise.all(theirs.slice(index, index + 20).map((page) => page.open()));
    companies.push({ tokens, pages: theirs, loggedAt: [], numberOf: new Map() });
  }
  // What was asked while they opened is over when as long has passed as anybody waits.
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  Object.assign(asking, { gets: 0, failed: 0, aborted: 0 });
  const logTimes: number[] = [];
  const watching = watch(companies);
  const tokens = companies.map((among) => among.tokens);
  const failed = await logWhile({ url: product.url, ratePerSecond: logsPerSecond, seconds, tokens }, (logged) => {
    const among = companies[logged.organisation];
    among?.loggedAt.push(logged.answeredAt - performance.timeOrigin);
    among?.numberOf.set(logged.id, among.loggedAt.length);
    logTimes.push(logged.answeredAt - logged.sentAt);
  });
  const gets = asking.gets;
  const waits = await watching();
  for (const page of companies.flatMap((among) => among.pages)) page.close();
  await pool.close();
  const what = (name: string) =>
    `${name}, ${pages} pages of ${organisations} organisations, ${logsPerSecond} logs a second`;
  const perPage = gets / pages / (seconds / 10);
  const never = waits.filter((wait) => wait === Infinity).length;
  return [
    judge({ goal: 'G14', what: what('GETs of a page in ten seconds'), value: perPage, wanted: { atMost: 1 } }),
    judge({ goal: 'G14', what: what('GETs aborted'), value: asking.aborted, wanted: { atMost: 0 } }),
    judge({ goal: 'G14', what: what('GETs and logs refused'), value: asking.failed + failed, wanted: { atMost: 0 } }),
    judge({
      goal: 'G14',
      what: what('p50 until right'),
      value: percentile(waits, 0.5),
      wanted: { atMost: 2_000 },
      unit: ' ms',
    }),
    judge({
      goal: 'G14',
      what: what('p95 until right'),
      value: percentile(waits, 0.95),
      wanted: { atMost: 2_000 },
      unit: ' ms',
    }),
    judge({ goal: 'G14', what: what('never right'), value: never, wanted: { atMost: 0 } }),
    judge({
      goal: 'G14',
      what: what('p99 of a log'),
      value: percentile(logTimes, 0.99),
      wanted: { atMost: 100 },
      unit: ' ms',
    }),
  ];
}

/** Each counts once it is answered. Answers how many failed. */
function logWhile(logging: Logging, heard: (logged: Logged) => void): Promise<number> {
  const logger = new Worker(new URL('../herd/logger.ts', import.meta.url), {
    workerData: logging,
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    logger.on('message', (message: Logged | LoggingEnded) => {
      if ('failed' in message) resolve(message.failed);
      else heard(message);
    });
    logger.on('error', reject);
  });
}

function watch(companies: readonly Company[]): () => Promise<number[]> {
  const seen = new Map<HerdPage, number>();
  const waits: number[] = [];
  const look = () => {
    for (const { pages, loggedAt, numberOf } of companies)
      for (const page of pages) {
        const before = seen.get(page) ?? 0;
        const now = Math.min(page.logsShown(milesOfLog, numberOf), loggedAt.length);
        for (const at of loggedAt.slice(before, now)) waits.push(Math.max(performance.now() - at, 0));
        seen.set(page, Math.max(before, now));
      }
  };
  const timer = setInterval(look, lookMilliseconds);
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    clearInterval(timer);
    look();
    for (const { pages, loggedAt } of companies)
      for (const page of pages) waits.push(...loggedAt.slice(seen.get(page) ?? 0).map(() => Infinity));
    return waits;
  };
}
