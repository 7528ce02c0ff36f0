import { reactionEmojis } from '@caravan/contracts/events/fields';
import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { z } from 'zod';
import { longOr } from '../form.ts';
import { type Finding, judge, median, round, tell } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { openingPaths } from '../load/people.ts';
import { type Summary, Tally } from '../load/tally.ts';
import { Visitors } from '../load/visitors.ts';
import { memoryMiB } from '../processes.ts';
import { type Account, ours, type Product, pidOf, runningProduct, signUpAccounts } from '../product.ts';
import { runTimed } from '../progress.ts';

const goal = 'SOAK';
const minutes = Number(process.env['BENCH_MINUTES'] ?? longOr(60, 3));
const quarterSeconds = minutes * 15;
const people = longOr(120, 20);
const visitsPerSecond = 8;
/** Long before a session's token ends. */
const signInEveryMinutes = 20;
const looksPerMinute = 2;
const pageMilliseconds = 1_500;

type Memory = Readonly<Record<(typeof ours)[number], number>>;
type Quarter = { readonly looks: readonly Memory[]; readonly all: Summary; readonly why: readonly string[] };

/** An hour of everyday life: whether memory and waits stay as they were. */
export async function soak(): Promise<Finding[]> {
  const product = runningProduct();
  const accounts = await runTimed(`${people} people have signed up`, () => signUpAccounts(product, people));
  const visitors = new Visitors(product.url, new Tally());
  const quarters: Quarter[] = [];
  const visit = everydayOf(visitors, accounts);
  const visits = visitsPerSecond * quarterSeconds;
  try {
    for (let nth = 0; nth < 4; nth += 1)
      quarters.push(
        await runTimed(`Quarter ${nth + 1} of ${minutes} minutes is over`, () =>
          quarter(product, visitors, (index) => visit(nth * visits + index)),
        ),
      );
  } finally {
    await visitors.close();
  }
  return findingsOf(quarters);
}

async function quarter(product: Product, visitors: Visitors, work: (index: number) => Promise<void>): Promise<Quarter> {
  const tally = new Tally();
  visitors.tally = tally;
  const looks: Memory[] = [];
  const looking = setInterval(() => looks.push(memoryOf(product)), 60_000 / looksPerMinute);
  try {
    await openLoop({ ratePerSecond: visitsPerSecond, seconds: quarterSeconds, work });
  } finally {
    clearInterval(looking);
  }
  return { looks: [...looks, memoryOf(product)], all: tally.of(...tally.acts), why: tally.failuresByWords.slice(0, 3) };
}

const memoryOf = (product: Product): Memory =>
  Object.fromEntries(ours.map((name) => [name, memoryMiB(pidOf(product, name)).pss])) as Memory;

/** People log and look, open the app, cheer, leave pages open for a moment, and sign in again. */
function everydayOf(visitors: Visitors, accounts: Account[]): (nth: number) => Promise<void> {
  const signInEvery = Math.round((signInEveryMinutes * 60 * visitsPerSecond) / accounts.length);
  let newest: string | undefined;
  const kinds: readonly ((token: string, nth: number) => Promise<unknown>)[] = [
    async (token) => {
      const body = { activityType: 'Walking', durationMinutes: 10 };
      const log = { act: 'log', method: 'POST', path: '/api/log', token, body } as const;
      newest = logAnswerSchema.parse(await visitors.ask(log)).id;
      await visitors.ask({ path: '/api/dashboard/stats', token });
    },
    (token) => Promise.all(openingPaths.map((path) => visitors.ask({ path, token }))),
    async (token, nth) => {
      await visitors.ask({ path: '/api/feed/all?limit=10', token });
      const body = { movementLogId: newest, emoji: reactionEmojis[nth % reactionEmojis.length] };
      if (newest !== undefined)
        await visitors.ask({ act: 'react', method: 'POST', path: '/api/feed/react', token, body });
    },
    (token) => openPage(visitors.url, token),
  ];
  return async (nth) => {
    const index = Math.floor(nth / kinds.length) % accounts.length;
    const account = accounts[index];
    if (!account) return;
    await kinds[nth % kinds.length]?.(account.token, nth);
    if (nth % signInEvery !== 0) return;
    const oldest = Math.floor(nth / signInEvery) % accounts.length;
    accounts[oldest] = await signedIn(visitors, accounts[oldest] ?? account);
  };
}

async function signedIn(visitors: Visitors, { email, password }: Account): Promise<Account> {
  const login = { act: 'login', method: 'POST', path: '/api/login', token: '', body: { email, password } } as const;
  const { token } = z.object({ token: z.string() }).parse(await visitors.ask(login));
  return { email, password, token };
}

/** A stream of news that its page closes. */
async function openPage(url: string, token: string): Promise<void> {
  const signal = AbortSignal.timeout(pageMilliseconds);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/events?shows=feed`, { headers, signal });
  if (!answer.ok) throw new Error(`/api/events answered ${answer.status}`);
  await answer.body?.pipeTo(new WritableStream()).catch(() => undefined);
}

function findingsOf(quarters: readonly Quarter[]): Finding[] {
  const sumOf = (memory: Memory) => Object.values(memory).reduce((sum, each) => sum + each, 0);
  const usual = (of: (memory: Memory) => number) => quarters.map(({ looks }) => median(looks.map(of)));
  const [, , third = 0, last = 0] = usual(sumOf);
  const each = ours.map(
    (name) =>
      `${name} ${usual((memory) => memory[name])
        .map((of) => Math.round(of))
        .join(' ')}`,
  );
  const during = `${minutes} minutes, ${visitsPerSecond} visits a second of ${people} people`;
  const wrong = quarters.reduce((sum, { all }) => sum + all.refused + all.failed, 0);
  const count = quarters.reduce((sum, { all }) => sum + all.count, 0);
  const why = quarters.flatMap((one) => one.why);
  const waits = quarters.map(({ all }) => `${round(all.p50)}/${round(all.p99)}`).join(', ');
  return [
    judge({
      goal,
      what: `proportional memory of all of ours in the last quarter of ${during} (by quarter: ${each.join(', ')})`,
      value: last,
      wanted: { atMost: 900 },
      unit: ' MiB',
    }),
    judge({
      goal,
      what: `that memory against the quarter before`,
      value: last / third,
      wanted: { atMost: 1.05 },
      unit: '×',
    }),
    judge({
      goal,
      what: `of ${count} requests refused or failed${why.length > 0 ? ` (${why.join('; ')})` : ''}`,
      value: wrong,
      wanted: { atMost: 0 },
    }),
    tell({
      goal,
      what: `p99 of requests in the last quarter (p50/p99 by quarter: ${waits} ms)`,
      value: quarters.at(-1)?.all.p99 ?? 0,
      unit: ' ms',
      isBetter: 'lower',
    }),
  ];
}
