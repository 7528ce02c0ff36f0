import { setTimeout as pause } from 'node:timers/promises';
import { longOr } from '../form.ts';
import { type Finding, judge, round, tell } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import type { Product } from '../product.ts';
import { bendOf, brokenBecause, nextRate, type Step } from './bend.ts';
import { type Summary, Tally } from './tally.ts';
import { Visitors } from './visitors.ts';
import { patienceSeconds, watch, type Watched } from './watch.ts';

export type Scenario = {
  readonly goal: string;
  /** What people do, for the figures: 'the dashboard is opened'. */
  readonly told: string;
  readonly visitsPerSecond: number;
  /** The wait of 95 of 100 people, until all of their visit was answered. */
  readonly atMostMilliseconds: number;
  /** One person comes, whatever the others wait for. */
  readonly visit: (visitors: Visitors, nth: number) => Promise<unknown>;
  /** A visit that can be made once by each person does not climb. */
  readonly climbs: boolean;
  readonly seconds?: number;
  /** Happens once, while people come at their own rate. */
  readonly beside?: () => Promise<unknown>;
};

const seconds = longOr(20, 6);
const stepSeconds = longOr(6, 3);
const mostSteps = longOr(9, 3);
const caughtUpWithinSeconds = 10;
/** Those that were furthest behind. */
const lagsTold = 5;
/** Of all acts together, beside those of its requests. */
const wholeVisit = 'visit';

export type Steady = { readonly step: Step; readonly tally: Tally; readonly all: Summary; readonly visits: Summary };

/** People come at a rate for some seconds. */
export async function atRate(
  visitors: Visitors,
  { visit }: Pick<Scenario, 'visit'>,
  { rate, during, first = 0 }: { rate: number; during: number; first?: number },
): Promise<Steady> {
  const tally = new Tally();
  visitors.tally = tally;
  const startedAt = performance.now();
  await openLoop({
    ratePerSecond: rate,
    seconds: during,
    work: async (nth) => {
      const cameAt = performance.now();
      await visit(visitors, first + nth).then(
        () => tally.note(wholeVisit, 'good', performance.now() - cameAt),
        () => tally.note(wholeVisit, 'failed', performance.now() - cameAt),
      );
    },
  });
  const took = Math.max((performance.now() - startedAt) / 1_000, during);
  const visits = tally.of(wholeVisit);
  const all = tally.of(...tally.acts.filter((act) => act !== wholeVisit));
  const step = {
    rate,
    goodRate: visits.good / took,
    p95Milliseconds: visits.p95,
    goodShare: visits.good / Math.max(visits.count, 1),
  };
  return { step, tally, all, visits };
}

/** Steady at its own rate, then more and more until it bends. */
export async function play(product: Product, scenario: Scenario): Promise<Finding[]> {
  const visitors = new Visitors(product.url, new Tally());
  try {
    // Connections, codes and caches are there when people come.
    await atRate(visitors, scenario, { rate: Math.min(scenario.visitsPerSecond, 5), during: scenario.climbs ? 2 : 0 });
    const watching = watch(product);
    const { visitsPerSecond: rate, seconds: during = seconds } = scenario;
    const [steady] = await Promise.all([atRate(visitors, scenario, { rate, during }), scenario.beside?.()]);
    const watched = await watching.end();
    const findings = [...steadyFindings(scenario, steady), ...watchedFindings(scenario, steady, watched)];
    return scenario.climbs ? [...findings, bendFinding(scenario, await climb(visitors, scenario))] : findings;
  } finally {
    await visitors.close();
  }
}

/** Steps until one does not hold. */
export async function climb(visitors: Visitors, scenario: Scenario, from = scenario.visitsPerSecond): Promise<Step[]> {
  const steps: Step[] = [];
  for (let rate = from; steps.length < mostSteps; rate = nextRate(rate)) {
    const { step } = await atRate(visitors, scenario, { rate, during: stepSeconds, first: steps.length * 10_000 });
    steps.push(step);
    if (brokenBecause(step, scenario.atMostMilliseconds) !== undefined) break;
    await pause(1_000);
  }
  return steps;
}

const milliseconds = (value: number) => (value >= 100 ? Math.round(value).toString() : value.toPrecision(3));
const threeOf = ({ p50, p95, p99 }: Summary) => [p50, p95, p99].map(milliseconds).join('/');

function steadyFindings({ goal, told, visitsPerSecond, atMostMilliseconds }: Scenario, steady: Steady): Finding[] {
  const { tally, visits, all } = steady;
  const acts = tally.acts.filter((act) => act !== wholeVisit).map((act) => `${act} ${threeOf(tally.of(act))}`);
  const what = `p95 of a visit when ${told}, ${round(visitsPerSecond)} a second (p50/p95/p99 ${threeOf(visits)} ms; ${acts.join(', ')})`;
  const why = tally.failuresByWords.slice(0, 3).join('; ');
  const refused = `of ${all.count} requests refused or failed when ${told}${why && ` (${why})`}`;
  return [
    judge({ goal, what, value: visits.p95, wanted: { atMost: atMostMilliseconds }, unit: ' ms' }),
    judge({ goal, what: refused, value: all.refused + all.failed, wanted: { atMost: 0 } }),
  ];
}

const listOf = (figures: Readonly<Record<string, number>>, least: number, digits: number, most = Infinity) =>
  Object.entries(figures)
    .filter(([, figure]) => figure >= least)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name, figure]) => `${name} ${figure.toFixed(digits)}`)
    .join(', ');

function watchedFindings({ goal, told }: Scenario, { visits }: Steady, watched: Watched): Finding[] {
  const { cores, memoryMiB, highestLags, caughtUpAfterSeconds } = watched;
  const allCores = Object.values(cores).reduce((sum, each) => sum + each, 0);
  const memory = Object.values(memoryMiB).reduce((sum, { now }) => sum + now, 0);
  const now = Object.fromEntries(Object.entries(memoryMiB).map(([name, of]) => [name, of.now]));
  const grown = Object.fromEntries(Object.entries(memoryMiB).map(([name, of]) => [name, of.grown]));
  const behind = listOf(highestLags, 1, 0, lagsTold) || 'nobody';
  const lag = `until every consumer had caught up after ${told} (messages behind at most: ${behind})`;
  const cpu = `cores in use when ${told}, ${visits.count} visits (${listOf(cores, 0.01, 2)})`;
  const mib = `memory when ${told} (${listOf(now, 1, 0)}; grown: ${listOf(grown, 1, 0) || 'nothing'})`;
  return [
    judge({
      goal,
      what: lag,
      value: caughtUpAfterSeconds ?? patienceSeconds,
      wanted: { atMost: caughtUpWithinSeconds },
      unit: ' s',
    }),
    tell({ goal, what: cpu, value: allCores, unit: ' cores', isBetter: 'lower' }),
    tell({ goal, what: mib, value: memory, unit: ' MiB', isBetter: 'lower' }),
  ];
}

function bendFinding({ goal, told, atMostMilliseconds }: Scenario, steps: readonly Step[]): Finding {
  const { held, brokeAt, because } = bendOf(steps, atMostMilliseconds);
  const rest = brokeAt === undefined ? `${because} up to there` : `at ${brokeAt}: ${because}`;
  const what = `visits a second until it bends when ${told} (${rest})`;
  return tell({ goal, what, value: held, unit: ' a second', isBetter: 'higher' });
}
