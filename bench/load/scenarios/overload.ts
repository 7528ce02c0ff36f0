import { longOr } from '../../form.ts';
import { type Finding, judge, tell } from '../../harness.ts';
import { runningProduct } from '../../product.ts';
import { bendOf, recoveredAfter } from '../bend.ts';
import { colleagues, oneOf } from '../people.ts';
import { atRate, climb, type Scenario, type Steady } from '../scenario.ts';
import { Tally } from '../tally.ts';
import { Visitors } from '../visitors.ts';
import { watch } from '../watch.ts';

const goal = 'LOAD-OVER';
const times = 5;
const [baseSeconds, overSeconds, recoverySeconds] = longOr([10, 20, 20], [5, 8, 10]);
const logsPerVisits = 3;

/** Five times what can be promised: as much is answered as before, the rest is told when to come back. */
export async function overload(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await colleagues(product);
  const body = { activityType: 'Walking', durationMinutes: 10 };
  const scenario: Scenario = {
    goal,
    told: 'one of three logs and the others look',
    visitsPerSecond: longOr(40, 20),
    climbs: true,
    atMostMilliseconds: 500,
    visit: (visitors, nth) => {
      const token = oneOf(tokens, nth);
      return nth % logsPerVisits === 0
        ? visitors.ask({ act: 'log', method: 'POST', path: '/api/log', token, body })
        : visitors.ask({ act: 'dashboard', path: '/api/dashboard/stats', token });
    },
  };
  const visitors = new Visitors(product.url, new Tally());
  try {
    const { held, because } = bendOf(await climb(visitors, scenario), scenario.atMostMilliseconds);
    const rate = held || scenario.visitsPerSecond;
    const once = await atRate(visitors, scenario, { rate, during: baseSeconds });
    const watching = watch(product);
    const over = await atRate(visitors, scenario, { rate: rate * times, during: overSeconds });
    const looks: { second: number; isWell: boolean }[] = [];
    for (let second = 0; second < recoverySeconds; second += 1) {
      const { step } = await atRate(visitors, scenario, { rate, during: 1, first: second * rate });
      looks.push({ second, isWell: step.goodShare === 1 && step.p95Milliseconds <= scenario.atMostMilliseconds });
    }
    const { highestLags } = await watching.end();
    const wrong = held === 0 ? because : undefined;
    return findingsOf({ rate, wrong }, { once, over }, { recovered: recoveredAfter(looks), lags: highestLags });
  } finally {
    await visitors.close();
  }
}

function findingsOf(
  { rate, wrong }: { rate: number; wrong: string | undefined },
  { once, over }: { once: Steady; over: Steady },
  { recovered, lags }: { recovered: number | undefined; lags: Readonly<Record<string, number>> },
): Finding[] {
  const { all, tally } = over;
  const rates = `${Math.round(over.step.goodRate)} and ${Math.round(once.step.goodRate)} a second of ${rate * times} and ${rate}`;
  const words = [`${all.refused} told`, ...tally.failuresByWords.slice(0, 6)].join('; ');
  // What does not even hold once says nothing about five times.
  const judgeShare = (what: string, value: number, wanted: { atLeast: number } | { atMost: number }, unit: string) =>
    wrong === undefined
      ? judge({ goal, what, value, wanted, unit })
      : tell({ goal, what: `${what} (once does not hold: ${wrong})`, value, unit, isBetter: 'higher' });
  return [
    judgeShare(
      `answered well at ${times} times the load against once (${rates})`,
      over.step.goodRate / once.step.goodRate,
      { atLeast: 0.9 },
      '×',
    ),
    judgeShare(
      `of ${all.count} requests neither answered nor told when to come back (${words})`,
      all.failed,
      { atMost: 0 },
      '',
    ),
    judgeShare('until all is as before once the load is as before', recovered ?? recoverySeconds, { atMost: 5 }, ' s'),
    tell({ goal, what: 'p95 of those answered meanwhile', value: all.p95, unit: ' ms', isBetter: 'lower' }),
    tell({
      goal,
      what: 'messages that a consumer was behind at most',
      isBetter: 'lower',
      value: Math.max(0, ...Object.values(lags)),
    }),
  ];
}
