import { describe, expect, test } from 'vitest';
import { type SessionBoard, SessionLiveness, type SessionState } from './session-liveness.ts';

/** A board and a truth that tests write on, and that count how often they are asked. */
function stage({
  board,
  truth,
  listening = true,
}: {
  board?: SessionState;
  truth?: SessionState;
  listening?: boolean;
}) {
  const asked = { board: 0, truth: 0 };
  let announce: (sessionId: string) => void = () => undefined;
  const fake: SessionBoard & { says: SessionState | undefined; beforeAnswer?: () => void } = {
    says: board,
    read() {
      asked.board += 1;
      const answer = this.says;
      this.beforeAnswer?.();
      return Promise.resolve(answer);
    },
    onEnded(listener) {
      announce = listener;
      return Promise.resolve();
    },
    isListening: () => listening,
  };
  const sessions = new SessionLiveness(fake, {
    stateOf() {
      asked.truth += 1;
      return truth ? Promise.resolve(truth) : Promise.reject(new Error('away'));
    },
  });
  return { sessions, board: fake, asked, end: (sessionId: string) => announce(sessionId) };
}

describe('a session', () => {
  test('[S04] is live when the board says so, and identity is not asked', async () => {
    const { sessions, asked } = stage({ board: 'live' });
    await sessions.assertLive('s');
    expect(asked).toEqual({ board: 1, truth: 0 });
  });

  test('[S04] is asked for once a second at most', async () => {
    const { sessions, asked } = stage({ board: 'live' });
    await sessions.listen();
    for (let call = 0; call < 50; call += 1) await sessions.assertLive('s');
    expect(asked.board).toBe(1);
  });

  test('[S04] that ends is refused at once, although it was live a moment ago', async () => {
    const { sessions, end } = stage({ board: 'live' });
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
    const { sessions, board, end } = stage({ board: 'live' });
    await sessions.listen();
    board.beforeAnswer = () => end('s');
    await expect(sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });

  test('[S04] remembered as live is asked about again once announcements may be missed', async () => {
    const { sessions, board } = stage({ board: 'live' });
    await sessions.listen();
    await sessions.assertLive('s');
    board.isListening = () => false;
    board.says = 'ended';
    await expect(sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });

  test('[S04] is not remembered as live while announcements may be missed', async () => {
    const { sessions, board } = stage({ board: 'live', listening: false });
    await sessions.assertLive('s');
    board.says = 'ended';
    await expect(sessions.assertLive('s')).rejects.toMatchObject({ code: 'auth/session-ended' });
  });
});

describe('without the board', () => {
  test.each(['live', 'ended'] as const)('[F05] identity is asked, and its %s counts', async (truth) => {
    const { sessions, asked } = stage({ truth });
    const check = sessions.assertLive('s');
    await (truth === 'live'
      ? expect(check).resolves.toBeUndefined()
      : expect(check).rejects.toMatchObject({ kind: 'unauthenticated' }));
    expect(asked.truth).toBe(1);
  });

  test('[S42] and without identity the request is refused as unavailable', async () => {
    const { sessions } = stage({});
    await expect(sessions.assertLive('s')).rejects.toMatchObject({
      code: 'auth/sessions-unavailable',
      kind: 'unavailable',
    });
  });
});
