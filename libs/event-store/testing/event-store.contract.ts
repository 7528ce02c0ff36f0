import { personKey } from '@caravan/contracts/events/fact-key';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishing } from './publishing.contract.ts';
import { repeating } from './repeating.contract.ts';
import { add, jars, note, openJar, seal, somebody } from './jars.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function eventStoreContract(name: string, setUp: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let it: StoreUnderTest;
    beforeAll(async () => {
      it = await setUp();
    });
    const get = (): StoreUnderTest => it;
    recording(get);
    racing(get);
    publishing(get);
    units(get);
    repeating(get);
    separating(get);
  });
}

function recording(get: () => StoreUnderTest): void {
  describe('recording', () => {
    test('a command’s events are in its stream, in order, with who asked and when', async () => {
      const { store } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      const added = await store.handle(me, jars, 'a', add('a', 3), note);
      expect(added).toMatchObject({ version: 2, state: { is: 'open', coins: 3 } });
      const events = await store.read(me.orgId, jars, 'a');
      expect(events.map(({ type, version }) => [type, version])).toEqual([
        ['JarOpened', 1],
        ['CoinsAdded', 2],
      ]);
      expect(events[1]).toMatchObject(added.events[0] ?? {});
      expect(events[1]).toMatchObject({ orgId: me.orgId, actorId: me.actorId, recordedAt: me.at, streamId: 'jar-a' });
      expect(events[1]?.position).toBeGreaterThan(events[0]?.position ?? Infinity);
    });

    test('a command that finds everything so already records nothing', async () => {
      const { store } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      const again = await store.handle(me, jars, 'a', openJar('a'), note);
      expect(again).toEqual({ events: [], version: 1, state: { is: 'open', coins: 0 } });
    });

    test('the read model shows an event as soon as the command is done', async () => {
      const { store, coins } = get();
      const me = somebody();
      expect(await coins(me.orgId, 'a')).toBeUndefined();
      await store.handle(me, jars, 'a', openJar('a'), note);
      await store.handle(me, jars, 'a', add('a', 4), note);
      await store.handle(me, jars, 'a', add('a', 5), note);
      expect(await coins(me.orgId, 'a')).toBe(9);
    });

    test('a refused command writes nothing at all and announces nothing', async () => {
      const { store, committed, coins, publishedEvents } = get();
      const me = somebody();
      await expect(store.handle(me, jars, 'a', add('a', 1), note)).rejects.toMatchObject({ code: 'jar/not-found' });
      expect(await store.read(me.orgId, jars, 'a')).toEqual([]);
      expect(await coins(me.orgId, 'a')).toBeUndefined();
      expect(await publishedEvents(me.orgId)).toEqual([]);
      expect(committed.filter(({ orgId }) => orgId === me.orgId)).toEqual([]);
    });

    test('what a decider leaves undefined or unwritten is the same at once and after reading it back', async () => {
      const { store } = get();
      const me = somebody();
      const data = { jarId: 'a', coins: 1, hint: undefined, foundAt: me.at };
      const careless = { ...jars, decider: { ...jars.decider, decide: () => [{ type: 'CoinsAdded' as const, data }] } };
      const { events } = await store.handle(me, careless, 'a', openJar('a'), note);
      expect(events[0]?.data).toStrictEqual({ jarId: 'a', coins: 1, foundAt: me.at.toISOString() });
      const read = await store.read(me.orgId, jars, 'a');
      expect(read.map(({ data }) => data)).toStrictEqual(events.map(({ data }) => data));
    });
  });
}

function racing(get: () => StoreUnderTest): void {
  describe('racing', () => {
    test('commands on one stream at the same time all count once, without a gap', async () => {
      const { store, coins } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      await Promise.all(Array.from({ length: 12 }, () => store.handle(me, jars, 'a', add('a', 1), note)));
      const events = await store.read(me.orgId, jars, 'a');
      expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
      expect(await coins(me.orgId, 'a')).toBe(12);
    });

    test('whoever comes second decides again on what the first left', async () => {
      const { store } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      const outcomes = await Promise.allSettled([
        store.handle(me, jars, 'a', seal('a'), note),
        ...Array.from({ length: 5 }, () => store.handle(me, jars, 'a', seal('a'), note)),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'));
      expect(await store.read(me.orgId, jars, 'a')).toHaveLength(2);
    });

    test('writers of other ordering keys cannot tear a stream either', async () => {
      const { store } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      const keys = Array.from({ length: 8 }, (_, index) => personKey(`${me.key.id}-${index}`));
      await Promise.all(keys.map((key) => store.handle({ ...me, key }, jars, 'a', add('a', 1), note)));
      const events = await store.read(me.orgId, jars, 'a');
      expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    test('a stream taken for new that is not is read after all', async () => {
      const { store } = get();
      const me = somebody();
      const create = (command: Parameters<typeof jars.decider.decide>[0]) =>
        store.transaction(me, (unit) => unit.create(jars, 'a', command, note));
      await create(openJar('a'));
      expect(await create(openJar('a'))).toMatchObject({ events: [], version: 1 });
      expect(await create(add('a', 2))).toMatchObject({ version: 2 });
      await create(seal('a'));
      const refused = create(add('a', 2));
      await expect(refused).rejects.toMatchObject({ code: 'jar/sealed' });
    });
  });
}

function units(get: () => StoreUnderTest): void {
  describe('units', () => {
    test('several commands and facts stand together', async () => {
      const { store, committed, coins, publishedEvents } = get();
      const me = somebody();
      await store.transaction(me, async (unit) => {
        await unit.handle(jars, 'a', openJar('a'), note);
        await unit.handle(jars, 'b', openJar('b'), note);
        await unit.handle(jars, 'a', add('a', 1), note);
        await unit.handle(jars, 'b', add('b', 2), note);
      });
      const last = (await publishedEvents(me.orgId)).at(-1);
      expect([await coins(me.orgId, 'a'), await coins(me.orgId, 'b')]).toEqual([1, 2]);
      expect(committed.filter(({ key }) => key === me.key)).toMatchObject([{ position: last?.position }]);
    });

    test('several commands and facts fall together', async () => {
      const { store, committed, coins, publishedEvents } = get();
      const me = somebody();
      const failing = store.transaction(me, async (unit) => {
        await unit.handle(jars, 'a', openJar('a'), note);
        await unit.handle(jars, 'a', add('a', 1), note);
        await unit.publish({ type: 'JarRenamed', version: 1, data: {} });
        throw new Error('lost heart');
      });
      await expect(failing).rejects.toThrow('lost heart');
      expect(await store.read(me.orgId, jars, 'a')).toEqual([]);
      expect(await coins(me.orgId, 'a')).toBeUndefined();
      expect(await publishedEvents(me.orgId)).toEqual([]);
      expect(committed.filter(({ key }) => key === me.key)).toEqual([]);
    });

    test('a unit in somebody else’s transaction counts when that one does', async () => {
      const { store, committed, coins, open } = get();
      const me = somebody();
      const before = await open(me.orgId, async (tx) => {
        const unit = store.within(tx, me);
        await unit.handle(jars, 'a', openJar('a'), note);
        await unit.handle(jars, 'a', add('a', 7), note);
        return committed.filter(({ key }) => key === me.key).length;
      });
      expect(before).toBe(0);
      expect(await coins(me.orgId, 'a')).toBe(7);
      expect(committed.filter(({ key }) => key === me.key)).toHaveLength(1);
    });

    test('a unit in somebody else’s transaction goes when that one does', async () => {
      const { store, committed, coins, open } = get();
      const me = somebody();
      const failing = open(me.orgId, async (tx) => {
        await store.within(tx, me).handle(jars, 'a', openJar('a'), note);
        throw new Error('batch failed');
      });
      await expect(failing).rejects.toThrow('batch failed');
      expect(await coins(me.orgId, 'a')).toBeUndefined();
      expect(committed.filter(({ key }) => key === me.key)).toEqual([]);
    });
  });
}

function separating(get: () => StoreUnderTest): void {
  describe('separating', () => {
    test('two organisations with the same stream id have two streams and see nothing of each other', async () => {
      const { store, coins } = get();
      const ours = somebody();
      const theirs = somebody();
      await store.handle(ours, jars, 'a', openJar('a'), note);
      await store.handle(ours, jars, 'a', add('a', 3), note);
      expect(await store.read(theirs.orgId, jars, 'a')).toEqual([]);
      const refused = store.handle(theirs, jars, 'a', add('a', 1), note);
      await expect(refused).rejects.toMatchObject({ code: 'jar/not-found' });
      expect(await store.handle(theirs, jars, 'a', openJar('a'), note)).toMatchObject({ version: 1 });
      expect([await coins(ours.orgId, 'a'), await coins(theirs.orgId, 'a')]).toEqual([3, 0]);
    });
  });
}
