import { describe, expect, test } from 'vitest';
import { type SessionCache, SessionLiveness, type SessionState } from './session-liveness.ts';

/** A cache and a source that tests write on, and that count how often they are asked. */
function stage({
  cache,
  source,
  listening = true,
}: {
  cache?: SessionState;
  source?: SessionState;
  listening?: boolean;
}) {
  const asked = { cache: 0, source: 0 };
  let announce: (sessionId: string) => void = () => undefined;
  let interrupt = () => undefined as void;
  const fake: SessionCache & { says: SessionState | undefined; beforeAnswer?: () => void } = {
    says: cache,
    read() {
      asked.cache += 1;
      const answer = this.says;
      this.beforeAnswer?.();
      return Promise.resolve(answer);
    },
    onEnded(listener) {
      announce = listener;
      return Promise.resolve();
    },
    onInterrupted(listener) {
      interrupt = listener;
    },
    isListening: () => listening,
  };
  let now = 1_000;
  const stateOf = () => {
    asked.source += 1;
    return source ? Promise.resolve(source) : Promise.reject(new Error('away'));
  };
  const sessions = new SessionLiveness(fake, { stateOf }, { now: () => now });
  return {
    sessions,
    cache: fake,
    asked,
    end: (sessionId: string) => announce(sessionId),
    interrupt: () => interrupt(),
    pass: (seconds: number) => void (now += seconds * 1_000),
  };
}

describe('a session', () => {
  test('[S04] is live when the cache says so, and identity is not asked', async () => {
    const { sessions, asked } = stage({ cache: 'live' });
    await sessions.assertLive('s');
    expect(asked).toEqual({ cache: 1, source: 0 });
  });

  test('[S04] is asked for once a second at most', async () => {
    const { sessions, asked } = stage({ cache: 'live' });
    await sessions.listen();
    for (let call = 0; call < 50; call += 1) await sessions.assertLive('s');
    expect(asked.cache).toBe(1);
  });

  test('[S04] that ends is refused at once, although it was live a moment ago', async () => {
    const { sessions, end } = stage({ cache: 'live' });
    await sessions.listen();
    await sessions.assertLive('s');
    end('s');
    await expect(sessions.assertLive('s')).rejects.toMatchObject({
      code: 'auth/session-ended',
      kind: 'unauthenticated',
    });
    await expect(sessions.assertLive('another')).resolves.toBeUndefined();
  });

  test('[S04] that ends while its state is on the way is refused', async () => {
    const { sessions, cache, end } = stage({ cache: 'live' });
    await sessions.listen();
    cache.beforeAnswer = () => end('s');
    await expect(sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });

  test('[S04] remembered as live is asked about again once announcements may be missed', async () => {
    const { sessions, cache } = stage({ cache: 'live' });
    await sessions.listen();
    await sessions.assertLive('s');
    cache.isListening = () => false;
    cache.says = 'ended';
    await expect(sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });

  test('[S04] is not remembered as live while announcements may be missed', async () => {
    const { sessions, cache } = stage({ cache: 'live', listening: false });
    await sessions.assertLive('s');
    cache.says = 'ended';
    await expect(sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });
});

describe('without the cache', () => {
  test.each(['live', 'ended'] as const)('[F05] identity is asked, and its %s counts', async (source) => {
    const { sessions, asked } = stage({ source });
    const check = sessions.assertLive('s');
    await (source === 'live'
      ? expect(check).resolves.toBeUndefined()
      : expect(check).rejects.toMatchObject({ kind: 'unauthenticated' }));
    expect(asked.source).toBe(1);
  });

  test('[S42] and without identity the request is refused as unavailable', async () => {
    const { sessions } = stage({});
    await expect(sessions.assertLive('s')).rejects.toMatchObject({
      code: 'auth/sessions-unavailable',
      kind: 'unavailable',
    });
  });
});

describe('while neither the cache nor identity answers', () => {
  const confirmSession = async () => {
    const known = stage({ cache: 'live' });
    await known.sessions.listen();
    await known.sessions.assertLive('s');
    known.cache.says = undefined;
    return known;
  };
  const unavailable = { code: 'auth/sessions-unavailable' };

  test('[S04 F05] a session that nobody can check stays live for fifteen seconds', async () => {
    const known = await confirmSession();
    known.pass(14);
    await expect(known.sessions.assertLive('s')).resolves.toBeUndefined();
    known.pass(2);
    await expect(known.sessions.assertLive('s')).rejects.toMatchObject(unavailable);
  });

  test('[S04] a session that nobody can check is refused as soon as its end is announced', async () => {
    const known = await confirmSession();
    known.pass(5);
    known.end('s');
    await expect(known.sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });

  test('[S04] a session that nobody can check is unavailable once an announcement may be missed', async () => {
    const known = await confirmSession();
    known.pass(5);
    known.interrupt();
    await expect(known.sessions.assertLive('s')).rejects.toMatchObject(unavailable);
  });

  test('[S04] a session is unavailable when announcements were missed while its state was read', async () => {
    const known = stage({ cache: 'live' });
    await known.sessions.listen();
    known.cache.beforeAnswer = () => known.interrupt();
    await known.sessions.assertLive('s');
    known.cache.says = undefined;
    known.pass(2);
    await expect(known.sessions.assertLive('s')).rejects.toMatchObject(unavailable);
  });

  test('[S04] a session that was never checked is unavailable', async () => {
    const { sessions } = await confirmSession();
    await expect(sessions.assertLive('another')).rejects.toMatchObject(unavailable);
  });
});
