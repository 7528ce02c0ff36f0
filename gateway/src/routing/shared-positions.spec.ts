import { describe, expect, test } from 'vitest';
import type { LogPositions } from '@caravan/contracts/events/log-position';
import { SharedPositions } from './shared-positions.ts';

const at = (position: number) => ({ epoch: 0, position });

function gateways() {
  const stored = new Map<string, LogPositions>();
  let clock = 0;
  let hearsSince: number | undefined = 0;
  let hasOthers = false;
  let isAway = false;
  let catchUp = () => Promise.resolve();
  const asked: string[] = [];
  const commands: object[] = [];
  const cache = {
    read: async (userId: string) => {
      asked.push(userId);
      if (isAway) throw new Error('Redis is away');
      return stored.get(userId);
    },
    store: async (positions: ReadonlyMap<string, LogPositions>) => {
      commands.push(Object.fromEntries(positions));
      if (isAway) throw new Error('Redis is away');
      for (const [userId, each] of positions) stored.set(userId, each);
    },
    hasOthers: () => hasOthers,
    hearsSince: () => hearsSince,
    catchUp: () => catchUp(),
  };
  const positions = new SharedPositions(cache, () => clock);
  return {
    stored,
    asked,
    commands,
    positions,
    of: async (userId: string) => (await positions.of(userId)).positions,
    pass: (milliseconds: number) => (clock += milliseconds),
    lose: () => (hearsSince = undefined),
    hearAgain: () => (hearsSince = clock),
    join: () => (hasOthers = true),
    setAway: (away: boolean) => (isAway = away),
    onCatchUp: (work: () => Promise<void>) => (catchUp = work),
  };
}

describe('a gateway beside others', () => {
  test('stores the positions of one turn by one command, and each write waits for it', async () => {
    const { positions, commands, stored, join } = gateways();
    join();
    const writes = [
      positions.remember('maya', { activity: at(5) }),
      positions.remember('omar', { activity: at(6) }),
      positions.remember('maya', { identity: at(2) }),
    ];
    expect(commands).toEqual([]);
    await writes[0];
    expect(commands).toEqual([{ maya: { activity: at(5), identity: at(2) }, omar: { activity: at(6) } }]);
    expect(stored.get('omar')).toEqual({ activity: at(6) });
    expect(positions.remember('maya', { activity: at(5) })).toBeUndefined();
  });

  test('hears what was published before a read, then answers the read', async () => {
    const { positions, of, join, pass, onCatchUp } = gateways();
    join();
    pass(3_600_000);
    positions.hear('maya', { activity: at(7) });
    onCatchUp(async () => positions.hear('maya', { activity: at(8) }));
    expect(await of('maya')).toEqual({ activity: at(8) });
  });

  test('stores a position later that Redis did not take, and answers the write all the same', async () => {
    const { positions, stored, join, setAway } = gateways();
    join();
    setAway(true);
    await positions.remember('maya', { activity: at(5) });
    expect(stored.size).toBe(0);
    setAway(false);
    await positions.store();
    expect(stored.get('maya')).toEqual({ activity: at(5) });
  });

  test('says that a read is uncertain while it can neither hear nor ask', async () => {
    const { positions, lose, join, setAway, onCatchUp } = gateways();
    join();
    expect((await positions.of('maya')).isCertain).toBe(true);
    lose();
    onCatchUp(() => Promise.reject(new Error('not listening')));
    expect((await positions.of('maya')).isCertain).toBe(true);
    setAway(true);
    expect((await positions.of('maya')).isCertain).toBe(false);
  });

  test('asks for a known member after a break, since it may have missed a later write', async () => {
    const { positions, of, stored, join, pass, hearAgain } = gateways();
    join();
    pass(3_600_000);
    positions.hear('maya', { activity: at(5) });
    stored.set('maya', { activity: at(9) });
    expect(await of('maya')).toEqual({ activity: at(5) });
    hearAgain();
    expect(await of('maya')).toEqual({ activity: at(9) });
  });
});

describe('a gateway that is alone', () => {
  test('lets no write wait, and stores what was written since for gateways that come later', async () => {
    const { positions, commands } = gateways();
    expect(positions.remember('maya', { activity: at(5) })).toBeUndefined();
    expect(positions.remember('maya', { activity: at(7) })).toBeUndefined();
    expect(commands).toEqual([]);
    await positions.store();
    await positions.store();
    expect(commands).toEqual([{ maya: { activity: at(7) } }]);
  });

  test('asks nobody for a member whom it knows', async () => {
    const { positions, of, asked } = gateways();
    expect(positions.remember('maya', { activity: at(5) })).toBeUndefined();
    expect(await of('maya')).toEqual({ activity: at(5) });
    expect(asked).toEqual([]);
  });

  test('asks once for a member of whom nothing is stored, and again after a while or a break', async () => {
    const { of, asked, pass, lose, hearAgain } = gateways();
    for (let time = 0; time < 3; time += 1) expect(await of('maya')).toBeUndefined();
    expect(asked).toEqual(['maya']);
    pass(5_001);
    await of('maya');
    expect(asked).toHaveLength(2);
    lose();
    await of('maya');
    await of('maya');
    expect(asked).toHaveLength(4);
    hearAgain();
    await of('maya');
    expect(asked).toHaveLength(5);
  });

  test('asks for members it does not know while it has just started', async () => {
    const { of, stored } = gateways();
    stored.set('maya', { activity: at(5) });
    expect(await of('maya')).toEqual({ activity: at(5) });
  });

  test('asks nobody once it has heard every position for an hour', async () => {
    const { of, asked, pass } = gateways();
    pass(3_600_000);
    expect(await of('maya')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('asks again when its channel is broken', async () => {
    const { of, asked, pass, lose } = gateways();
    pass(3_600_000);
    lose();
    await of('maya');
    expect(asked).toEqual(['maya']);
  });

  test("counts another gateway's position like its own, the highest of both", async () => {
    const { positions, of, pass } = gateways();
    pass(3_600_000);
    positions.hear('maya', { activity: at(8) });
    positions.hear('maya', { activity: at(7) });
    expect(await of('maya')).toEqual({ activity: at(8) });
  });
});
