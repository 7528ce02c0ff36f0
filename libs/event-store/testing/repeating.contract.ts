import { describe, expect, test } from 'vitest';
import { add, jars, note, openJar, somebody } from './jars.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const request = (key: string, bodyHash = 'same', owner = 'me') => ({ owner, key, bodyHash });

/** What becomes of a request that comes again under its Idempotency-Key. */
export function repeating(get: () => StoreUnderTest): void {
  const addOnce = (me: ReturnType<typeof somebody>, coins: number, key: string, bodyHash?: string) =>
    get().store.transaction(
      me,
      async (unit) => {
        const { version } = await unit.handle(jars, 'a', add('a', coins), note);
        return { version, added: coins };
      },
      request(key, bodyHash, me.actorId),
    );

  describe('repeating', () => {
    test('the same request again gives the same answer and no second event', async () => {
      const { store, committed, coins } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      const first = await addOnce(me, 5, 'k1');
      expect(await addOnce(me, 5, 'k1')).toEqual(first);
      expect(await coins(me.orgId, 'a')).toBe(5);
      const positions = committed.filter(({ key }) => key === me.key).map(({ position }) => position);
      const [, added] = await store.read(me.orgId, jars, 'a');
      expect(positions).toEqual([added?.position, added?.position]);
    });

    test('equal requests at the same time wait for each other and share one answer', async () => {
      const { store, coins } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      const answers = await Promise.all(Array.from({ length: 6 }, () => addOnce(me, 5, 'k1')));
      expect(new Set(answers.map(({ version }) => version))).toEqual(new Set([2]));
      expect(await coins(me.orgId, 'a')).toBe(5);
    });

    test('a refused request does not use its key up', async () => {
      const { store } = get();
      const me = somebody();
      await expect(addOnce(me, 5, 'k1')).rejects.toMatchObject({ code: 'jar/not-found' });
      await store.handle(me, jars, 'a', openJar('a'), note);
      expect(await addOnce(me, 5, 'k1')).toMatchObject({ version: 2 });
    });

    test('the same key for another request is refused and changes nothing', async () => {
      const { store, coins } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      await addOnce(me, 5, 'k1');
      await expect(addOnce(me, 6, 'k1', 'other')).rejects.toMatchObject({
        code: 'idempotency/key-reused',
        kind: 'invalid',
      });
      expect(await coins(me.orgId, 'a')).toBe(5);
    });

    test('a key belongs to its owner: another person’s equal key is another request', async () => {
      const { store, coins } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      await addOnce(me, 5, 'k1');
      await addOnce(somebody({ orgId: me.orgId, key: me.key }), 5, 'k1');
      expect(await coins(me.orgId, 'a')).toBe(10);
    });

    test('a request whose answer is nothing is answered with nothing again', async () => {
      const { store } = get();
      const me = somebody();
      let runs = 0;
      const silent = () =>
        store.transaction(
          me,
          async () => {
            runs++;
          },
          request('k2', 'same', me.actorId),
        );
      await silent();
      expect(await silent()).toBeFalsy();
      expect(runs).toBe(1);
    });
  });
}
