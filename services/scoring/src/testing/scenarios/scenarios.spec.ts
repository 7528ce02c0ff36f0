import { describe, expect, test } from 'vitest';
import { ByRules } from './by-rules.ts';
import { scenarioOf, scenarios } from './scenario.ts';
import type { Outcome, Scenario, Step } from './scenario.ts';

// The rules alone know entries, sums, streaks and places on the map. What rows count (badges, challenges, ranks) is asked
// of the running service: scenarios.int.spec.ts.

/** What a scenario asks of the rules. */
function decidedByRules({ members, teams }: Outcome) {
  const ofMember = ({ total, entries, streak, weeks }: (typeof members)[string]) => ({ total, entries, streak, weeks });
  const ofTeam = ({ total, weeks, journey, arrivals }: NonNullable<(typeof teams)['Thunder']>) => ({
    total,
    weeks,
    journey,
    arrivals,
  });
  const each = <One, Other>(all: Readonly<Partial<Record<string, One>>>, of: (one: One) => Other) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one && of(one)]));
  return { members: each(members, ofMember), teams: each(teams, ofTeam) };
}

function follow(scenario: Scenario, steps: readonly Step[]): void {
  const organisation = new ByRules(scenario);
  for (const step of [...scenario.given.before, ...steps, { then: scenario.then }])
    if ('then' in step) expect(organisation.outcomeSeen(step.then)).toEqual(decidedByRules(step.then));
    else organisation.take(step);
}

const whoOf = (step: Step) => ('who' in step ? step.who : '');

/** Other orders in which the steps of different members may come: member by member, and by turns. */
function otherOrders({ inAnyOrder, when }: Scenario): (readonly Step[])[] {
  if (!inAnyOrder) return [];
  const names = [...new Set(when.map(whoOf))];
  const inTurns = (order: readonly string[]) => {
    const queues = order.map((name) => when.filter((step) => whoOf(step) === name));
    const longest = Math.max(...queues.map(({ length }) => length));
    return Array.from({ length: longest }, (_, nth) => queues.flatMap((queue) => queue.slice(nth, nth + 1))).flat();
  };
  const oneByOne = (order: readonly string[]) => order.flatMap((name) => when.filter((step) => whoOf(step) === name));
  return [names, names.toReversed()].flatMap((order) => [inTurns(order), oneByOne(order)]);
}

describe('by the rules alone', () => {
  test.for(scenarios.map((scenario) => [`[${scenario.proves.join(' ')}] ${scenario.name}`, scenario] as const))(
    '%s',
    ([, scenario]) => {
      // A bonus for a challenge is for the rows to judge.
      if (scenario.when.some((step) => 'claims' in step)) return;
      for (const steps of [scenario.when, ...otherOrders(scenario)]) follow(scenario, steps);
    },
  );
});

describe('the files of scenarios', () => {
  test('[1.11 3.14 3.29 3.30 3.34 4.20 7.12 7.13 7.17 9.1 9.4 D2 D4 D5 D6 D8 D9 D10 D11 D12 D13 D14 D15 D33 D40 D43 I1 I2 I3 I4] name between them what this title names', () => {
    const title = expect.getState().currentTestName ?? '';
    const named = /\[([^\]]*)\]/.exec(title)?.[1]?.split(' ');
    expect([...new Set(scenarios.flatMap(({ proves }) => proves))].toSorted()).toEqual(named?.toSorted());
    expect(scenarios.length).toBeGreaterThanOrEqual(60);
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });

  const walk = { who: 'Maya', logs: 'walk', minutes: 30, startedAt: '2026-06-10T07:30+01:00' };
  const sound = {
    name: 'A walk earns miles',
    proves: ['D5'],
    when: [walk],
    then: { members: { Maya: { total: 3 } } },
    given: { organisation: 'Europe/London', members: { Maya: 'Thunder' } },
  };
  const read = (changes: object) => () => scenarioOf('sound.json', { ...sound, ...changes });

  test('say what comes of it, in known words only', () => {
    expect(read({})).not.toThrow();
    expect(read({ then: undefined })).toThrow('→ at then');
    expect(read({ then: {} })).toThrow('Say what comes of it');
    expect(read({ then: { members: { Maya: {} } } })).toThrow('Say something of the member');
    expect(read({ afterwards: {} })).toThrow('afterwards');
    expect(read({ then: { members: { Maya: { totl: 3 } } } })).toThrow('totl');
    expect(read({ when: [{ ...walk, minuts: 30 }] })).toThrow('→ at when[0]');
  });

  test('[D10] speak of members who are there, at times that clocks there show', () => {
    expect(read({ when: [{ ...walk, who: 'Nobody' }] })).toThrow('nobody is called Nobody');
    expect(read({ then: { members: { Nobody: { total: 3 } } } })).toThrow('nobody is called Nobody');
    expect(read({ when: [{ ...walk, startedAt: '2026-06-10T07:30+00:00' }] })).toThrow('2026-06-10T08:30');
  });
});
