import { describe, expect, test } from 'vitest';
import type { LogPositions } from '@caravan/contracts/log-position';
import { SharedPositions } from './shared-positions.ts';

const at = (position: number) => ({ epoch: 0, position });

function gateways() {
  const shared = new Map<string, LogPositions>();
  let clock = 0;
  let hearsSince: number | undefined = 0;
  const asked: string[] = [];
  const cache = {
    read: async (userId: string) => {
      asked.push(userId);
      return shared.get(userId);
    },
    announce: (userId: string, positions: LogPositions) => void shared.set(userId, positions),
    hearsSince: () => hearsSince,
  };
  return {
    shared,
    asked,
    positions: new SharedPositions(cache, () => clock),
    pass: (milliseconds: number) => (clock += milliseconds),
    lose: () => (hearsSince = undefined),
  };
}

describe('positions across gateways', () => {
  test('what a member wrote here is known at once and announced', async () => {
    const { positions, shared } = gateways();
    positions.remember('maya', { activity: at(5) });
    expect(await positions.of('maya')).toEqual({ activity: at(5) });
    expect(shared.get('maya')).toEqual({ activity: at(5) });
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
