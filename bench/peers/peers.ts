import { withDescendants } from '@caravan/caravan/process/process-tree';
import { longOr } from '../form.ts';
import { type Finding, interleave, judge, median, type Sample, type Series, tell } from '../harness.ts';
import { company } from '../herd/company.ts';
import { cpuMicroseconds, cpuMicrosecondsOf, cpuMicrosecondsOfFamily } from '../processes.ts';
import { pidOf, type Product, runningProduct } from '../product.ts';
import { requestScript, type Requests, wrk } from '../wrk.ts';
import { type Parse, people, startParse } from './parse.ts';

const goal = 'PEERS';
const [seconds, rounds] = longOr([3, 5], [2, 3]);
const warmUpSeconds = longOr(5, 2);
const ofProduct = ['gateway', 'identity', 'activity', 'scoring', 'social', 'integrations', 'kafka', 'redis'];

type Side = {
  readonly url: string;
  /** CPU of all that answers, and all that follows, PostgreSQL included. */
  readonly cpu: () => number;
  /** What it uses with nothing to do, in a second. */
  readonly idleMicroseconds: number;
};

type Working = Omit<Side, 'idleMicroseconds'>;

type Act = {
  readonly name: string;
  readonly connections: number;
  readonly ours: Requests & { readonly path: string };
  readonly theirs: Requests & { readonly path: string };
  readonly leastRate: number;
  /** Of ours against theirs. */
  readonly mostCpu: number;
};

/** The same acts, in turn, on one PostgreSQL: Parse Server keeps no events and tells nobody. */
export async function besidePeers(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await company(product, people);
  const parse = await startParse();
  try {
    const acts = actsOf(tokens, parse);
    await warmUp(product, parse, acts);
    const ours = await resting(sideOf(product));
    const theirs = await resting(sideOfParse(product, parse));
    const findings: Finding[] = [restOf(ours, theirs, parse.version)];
    for (const act of acts) {
      const series = await interleave(
        { ours: () => measureSide(ours, act.ours, act), theirs: () => measureSide(theirs, act.theirs, act) },
        rounds,
      );
      findings.push(...findingsOf(act, series, parse.version));
    }
    return findings;
  } finally {
    await parse.end();
  }
}

function actsOf(tokens: readonly string[], parse: Parse): Act[] {
  const log = { activityType: 'Walking', durationMinutes: 30, source: 'manual', photoPrompt: 'Lunch walk' };
  const workout = {
    sport: 'Walking',
    minutes: 30,
    miles: 3,
    title: 'Lunch walk',
    at: { __type: 'Date', iso: new Date().toISOString() },
    owner: { __type: 'Pointer', className: '_User', objectId: parse.ownerId },
  };
  const people = tokens.map((token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' }));
  const we = (path: string, body?: object) => ({ path, headers: people, ...(body && { body }) });
  const they = (path: string, body?: object) => ({ path, headers: parse.headers, ...(body && { body }) });
  const pairs = [
    {
      name: 'a log against an object',
      ours: we('/api/log', log),
      theirs: they('/classes/Workout', workout),
      least: 1,
      at: [1, 16],
    },
    {
      name: 'the newest ten of a feed against those of a class with an index by hand',
      ours: we('/api/feed/all?limit=10'),
      theirs: they('/classes/Workout?order=-createdAt&limit=10'),
      least: 1.5,
      at: [1, 16],
    },
    {
      name: 'the board page against the first twenty of a class with an index by hand',
      ours: we('/api/leaderboard'),
      theirs: they('/classes/Workout?order=-miles&limit=20&include=owner'),
      least: 1,
      at: [16],
    },
    { name: "one's own profile", ours: we('/api/me'), theirs: they('/users/me'), least: 1, at: [16] },
  ];
  return pairs.flatMap(({ least, at, ...pair }) =>
    at.map((connections) => ({ ...pair, connections, leastRate: least, mostCpu: 1.2 })),
  );
}

/** A program takes several times the CPU for its first thousands of requests, whichever of the two it is. */
async function warmUp(product: Product, parse: Parse, acts: readonly Act[]): Promise<void> {
  const connections = 16;
  const seconds = warmUpSeconds;
  for (const { ours, theirs } of acts.filter((act) => act.connections === connections)) {
    await wrk({ url: product.url + ours.path, connections, seconds, script: requestScript(ours) });
    await wrk({ url: parse.url + theirs.path, connections, seconds, script: requestScript(theirs) });
  }
}

function sideOf(product: Product): Working {
  const all = ofProduct.map((name) => pidOf(product, name));
  const postgres = pidOf(product, 'postgres');
  return { url: product.url, cpu: () => cpuMicrosecondsOf(all) + cpuMicrosecondsOfFamily(postgres) };
}

function sideOfParse(product: Product, { url, pid }: Parse): Working {
  const postgres = pidOf(product, 'postgres');
  const workers = () => withDescendants(pid).reduce((sum, each) => sum + cpuMicroseconds(each), 0);
  return { url, cpu: () => workers() + cpuMicrosecondsOfFamily(postgres) };
}

/** What follows a log counts with it: it is over when nothing of it is left to do. */
async function measureSide(side: Side, { path, ...requests }: Act['ours'], { connections }: Act): Promise<Sample> {
  const before = side.cpu();
  const load = await wrk({ url: side.url + path, connections, seconds, script: requestScript(requests) });
  if (load.requests === 0) throw new Error(`Nothing was answered by ${path} within ${seconds} s`);
  if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} requests to ${path} failed`);
  const cpu = await waitUntilIdle(side);
  return { rate: load.requestsPerSecond, p50: load.p50Milliseconds, cpu: (cpu - before) / load.requests };
}

const lookMilliseconds = 500;
const restingShare = 0.15;
const patienceMilliseconds = 20_000;

/** The least of some looks: whatever else there is to do comes on top. */
async function resting(side: Working): Promise<Side> {
  const looks: number[] = [];
  while (looks.length < 8) {
    const before = side.cpu();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    looks.push(side.cpu() - before);
  }
  return { ...side, idleMicroseconds: Math.min(...looks) };
}

function restOf(ours: Side, theirs: Side, version: string): Finding {
  const percentOf = ({ idleMicroseconds }: Side) => idleMicroseconds / 10_000;
  const what = `of a core with nothing to do, all servers included; Parse Server ${version} ${percentOf(theirs).toFixed(1)}`;
  return tell({ goal, what, value: percentOf(ours), unit: ' %', isBetter: 'lower' });
}

/** CPU once it uses hardly more than with nothing to do, without what that was while it was waited for. */
async function waitUntilIdle({ cpu, idleMicroseconds }: Side): Promise<number> {
  const from = performance.now();
  const idleIn = (milliseconds: number) => (milliseconds / 1_000) * idleMicroseconds;
  for (let before = cpu(); ;) {
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    const now = cpu();
    const waited = performance.now() - from;
    const isAtRest = now - before - idleIn(lookMilliseconds) < lookMilliseconds * 1_000 * restingShare;
    if (isAtRest || waited > patienceMilliseconds) return now - idleIn(waited);
    before = now;
  }
}

type Pair = { readonly ours: Series; readonly theirs: Series };

/** Of each round, so that what the machine does falls on both. */
function ratio({ ours, theirs }: Pair, figure: string): { value: number; told: string } {
  const each = ours.samples.map((sample, round) => (sample[figure] ?? 0) / (theirs.samples[round]?.[figure] ?? 1));
  const [lowest, highest] = [Math.min(...each), Math.max(...each)].map((value) => value.toPrecision(2));
  return { value: median(each), told: `${lowest} to ${highest}` };
}

function findingsOf({ name, connections, leastRate, mostCpu }: Act, pair: Pair, version: string): Finding[] {
  const { ours, theirs } = pair;
  const rate = ratio(pair, 'rate');
  const cpu = ratio(pair, 'cpu');
  const p50 = ratio(pair, 'p50');
  const both = (figure: string, digits: number) =>
    `${ours.median(figure).toFixed(digits)} and ${theirs.median(figure).toFixed(digits)}`;
  const at = `${connections} connection${connections === 1 ? '' : 's'}`;
  const what = (about: string) => `${name}, ${at}: ${about}`;
  const beside = `Parse Server ${version}`;
  return [
    judge({
      goal,
      what: what(`a second beside ${beside} (${both('rate', 0)}; ${rounds} rounds ${rate.told})`),
      value: rate.value,
      wanted: { atLeast: leastRate },
      unit: '×',
    }),
    judge({
      goal,
      what: what(`CPU of everything beside ${beside} (${both('cpu', 0)} µs; ${cpu.told})`),
      value: cpu.value,
      wanted: { atMost: mostCpu },
      unit: '×',
    }),
    judge({
      goal,
      what: what(`p50 beside ${beside} (${both('p50', 2)} ms; ${p50.told})`),
      value: p50.value,
      wanted: { atMost: 1 / leastRate },
      unit: '×',
    }),
  ];
}
