import { describe, expect, test } from 'vitest';
import type { LogPositions } from '@caravan/contracts/log-position';
import { SharedPositions } from './shared-positions.ts';

const at = (position: number) => ({ epoch: 0, position });

function gateways() {
  const shared = new Map<string, LogPositions>();
  let clock = 0;
  let hearsSince: number | undefined = 0;
  let hasOthers = true;
  const asked: string[] = [];
  const told: object[] = [];
  const cache = {
    read: async (userId: string) => {
      asked.push(userId);
      return shared.get(userId);
    },
    tell: (positions: ReadonlyMap<string, LogPositions>) => void told.push(Object.fromEntries(positions)),
    hasOthers: () => hasOthers,
    hearsSince: () => hearsSince,
  };
  return {
    shared,
    asked,
    told,
    positions: new SharedPositions(cache, () => clock),
    pass: (milliseconds: number) => (clock += milliseconds),
    lose: () => (hearsSince = undefined),
    hearAgain: () => (hearsSince = clock),
    leaveAlone: () => (hasOthers = false),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('positions across gateways', () => {
  test('what a member wrote here is known at once and told to others, all of a turn together', async () => {
    const { positions, told, turn } = gateways();
    positions.remember('maya', { activity: at(5) });
    expect(await positions.of('maya')).toEqual({ activity: at(5) });
    positions.remember('omar', { activity: at(6) });
    positions.remember('maya', { identity: at(2) });
    await turn();
    expect(told).toEqual([{ maya: { activity: at(5), identity: at(2) }, omar: { activity: at(6) } }]);
    positions.remember('maya', { activity: at(5) });
    await turn();
    expect(told).toHaveLength(1);
  });

  test('a gateway that is alone tells nobody, and keeps what was written since for those that come later', async () => {
    const { positions, told, turn, leaveAlone } = gateways();
    leaveAlone();
    positions.remember('maya', { activity: at(5) });
    positions.remember('maya', { activity: at(7) });
    await turn();
    expect(told).toEqual([]);
    expect(Object.fromEntries(positions.takeUnkept())).toEqual({ maya: { activity: at(7) } });
    expect(positions.takeUnkept().size).toBe(0);
  });

  test('a gateway asks once for a member of whom nothing is kept, and again after a while or a break', async () => {
    const { positions, asked, pass, lose, hearAgain } = gateways();
    for (let time = 0; time < 3; time += 1) expect(await positions.of('maya')).toBeUndefined();
    expect(asked).toEqual(['maya']);
    pass(5_001);
    await positions.of('maya');
    expect(asked).toHaveLength(2);
    lose();
    await positions.of('maya');
    await positions.of('maya');
    expect(asked).toHaveLength(4);
    hearAgain();
    await positions.of('maya');
    expect(asked).toHaveLength(5);
  });

  test('a gateway that just started asks the cache for members it does not know', async () => {
    const { positions, shared } = gateways();
    shared.set('maya', { activity: at(5) });
    expect(await positions.of('maya')).toEqual({ activity: at(5) });
  });

  test('a gateway that has heard every announcement for an hour asks nobody', async () => {
    const { positions, asked, pass } = gateways();
    pass(3_600_000);
    expect(await positions.of('maya')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('a gateway whose channel is broken asks again', async () => {
    const { positions, asked, pass, lose } = gateways();
    pass(3_600_000);
    lose();
    await positions.of('maya');
    expect(asked).toEqual(['maya']);
  });

  test("another gateway's announcement counts like one's own", async () => {
    const { positions, pass } = gateways();
    pass(3_600_000);
    positions.hear('maya', { activity: at(8) });
    positions.hear('maya', { activity: at(7) });
    expect(await positions.of('maya')).toEqual({ activity: at(8) });
  });
});
