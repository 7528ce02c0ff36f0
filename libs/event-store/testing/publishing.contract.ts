import { describe, expect, test } from 'vitest';
import { add, jars, note, openJar, seal, somebody } from './jars.ts';
import type { StoreUnderTest } from './store-under-test.ts';

/** What leaves the service because of a command, and who hears of it. */
export function publishing(get: () => StoreUnderTest): void {
  describe('publishing', () => {
    test('a public event leaves in its public form, with its envelope; a private one does not leave', async () => {
      const { store, publishedEvents } = get();
      const me = somebody({
        causes: { identity: { epoch: 3, position: 45 } },
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      });
      await store.handle(me, jars, 'a', openJar('a'), note);
      await store.handle(me, jars, 'a', add('a', 3), note);
      const position = (await store.read(me.orgId, jars, 'a'))[1]?.position;
      expect(await publishedEvents(me.orgId)).toEqual([
        {
          type: 'CoinsSaved',
          version: 2,
          data: { jarId: 'a', coins: 3, note: note.note, by: me.actorId },
          position,
          key: me.key.id,
          orgId: me.orgId,
          actorId: me.actorId,
          occurredAt: me.at,
          causes: { identity: { epoch: 3, position: 45 } },
          traceparent: me.traceparent,
        },
      ]);
    });

    test('a public payload travels in the message and never lies in the log', async () => {
      const { store, publishedEvents, logText } = get();
      const me = somebody();
      const secret = `Ana’s caption ${me.orgId.toUpperCase()}`;
      await store.handle(me, jars, 'a', openJar('a'), { note: secret });
      await store.handle(me, jars, 'a', add('a', 3), { note: secret });
      expect(JSON.stringify(await publishedEvents(me.orgId))).toContain(secret);
      expect(await logText()).not.toContain(secret);
    });

    test('messages of a key leave in the order of their positions, facts about rows among them', async () => {
      const { store, publishedEvents } = get();
      const me = somebody();
      await store.transaction(me, async (unit) => {
        await unit.handle(jars, 'a', openJar('a'), note);
        await unit.handle(jars, 'a', add('a', 1), note);
        await unit.publish({ type: 'JarRenamed', version: 1, data: { jarId: 'a', name: 'Holiday' } });
        await unit.handle(jars, 'a', add('a', 2), note);
      });
      await store.handle(me, jars, 'a', seal('a'), note);
      const messages = await publishedEvents(me.orgId);
      expect(messages.map(({ type }) => type)).toEqual(['CoinsSaved', 'JarRenamed', 'CoinsSaved', 'JarClosed']);
      expect(messages.map(({ position }) => position)).toEqual(
        messages.map(({ position }) => position).toSorted((a, b) => a - b),
      );
    });

    test('after the commit the last published position is announced; private events announce nothing', async () => {
      const { store, committed } = get();
      const me = somebody();
      await store.handle(me, jars, 'a', openJar('a'), note);
      expect(committed.filter(({ key }) => key === me.key)).toEqual([]);
      await store.handle(me, jars, 'a', add('a', 1), note);
      const position = (await store.read(me.orgId, jars, 'a'))[1]?.position;
      expect(committed.filter(({ key }) => key === me.key)).toMatchObject([
        { service: 'piggy-bank', position, key: me.key, orgId: me.orgId },
      ]);
    });
  });
}
