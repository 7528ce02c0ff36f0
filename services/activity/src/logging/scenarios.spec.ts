import { describe, expect, test } from 'vitest';
import { ByRules } from '../testing/scenarios/by-rules.ts';
import { scenarioOf, scenarios } from '../testing/scenarios/scenario.ts';

describe('by the rules alone', () => {
  test.for(scenarios.map((scenario) => [`[${scenario.proves.join(' ')}] ${scenario.name}`, scenario] as const))(
    '%s',
    ([, scenario]) => {
      const members = new ByRules(scenario);
      for (const step of scenario.when) {
        const told = members.take(step);
        if ('asks' in step)
          expect(told).toEqual(step.refuses === undefined ? { answer: step.answer } : { refuses: step.refuses });
        if ('removes' in step) expect(told).toEqual(step.refuses === undefined ? undefined : { refuses: step.refuses });
      }
      expect(members.outcome()).toEqual(scenario.then);
    },
  );
});

describe('the files of scenarios', () => {
  test('[4.16 5.7 7.17 9.1 9.3 9.4 D4 D5 D6 D8 D10 D15 D16 D40] name between them what this title names', () => {
    const named = /\[([^\]]*)\]/.exec(expect.getState().currentTestName ?? '')?.[1]?.split(' ');
    expect([...new Set(scenarios.flatMap(({ proves }) => proves))].toSorted()).toEqual(named?.toSorted());
    expect(scenarios.length).toBeGreaterThanOrEqual(20);
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });

  const asking = { at: '2026-06-10T12:00+01:00', logs: 'walk', asks: {} };
  const sound = {
    name: 'A walk earns miles',
    proves: ['D5'],
    given: { zone: 'Europe/London' },
    when: [{ ...asking, refuses: 'No' }],
    then: { total: 0, logs: [], tells: [] },
  };
  const read = (changes: object) => () => scenarioOf('sound.json', { ...sound, ...changes });

  test('say what comes of each request and of all of them, in known words only', () => {
    expect(read({})).not.toThrow();
    expect(read({ then: undefined })).toThrow('→ at then');
    expect(read({ then: { total: 0 } })).toThrow('→ at then.logs');
    expect(read({ when: [asking] })).toThrow('either answered or refused');
    expect(read({ when: [{ ...asking, refuses: 'No', answers: {} }] })).toThrow('→ at when[0]');
    expect(read({ later: [] })).toThrow('later');
  });
});
