import { describe, expect, test } from 'vitest';
import { LiveHub } from './hub.ts';

function hub() {
  const calls: string[] = [];
  const channel = {
    subscribe: (orgId: string) => void calls.push(`+${orgId}`),
    unsubscribe: (orgId: string) => void calls.push(`-${orgId}`),
  };
  return { hub: new LiveHub(channel), calls };
}

describe('live pages', () => {
  test('[D35] every open page of an organisation hears of a change, nobody else does', () => {
    const { hub: pages } = hub();
    const heard: string[] = [];
    pages.listen('a', () => heard.push('first'));
    pages.listen('a', () => heard.push('second'));
    pages.listen('b', () => heard.push('other'));
    pages.deliver('a', { kinds: ['board'] });
    expect(heard).toEqual(['first', 'second']);
  });

  test('one subscription serves all pages of an organisation and ends with the last of them', () => {
    const { hub: pages, calls } = hub();
    const [leaveFirst, leaveSecond] = [pages.listen('a', () => {}), pages.listen('a', () => {})];
    leaveFirst();
    expect(calls).toEqual(['+a']);
    leaveSecond();
    leaveSecond();
    expect(calls).toEqual(['+a', '-a']);
    pages.listen('a', () => {});
    expect(calls).toEqual(['+a', '-a', '+a']);
    expect(pages.openPages).toBe(1);
  });

  test('[4.4] the page of a session that ends is closed, once', () => {
    const { hub: pages } = hub();
    let closed = 0;
    const stopWaiting = pages.listenForEnd('session', () => (closed += 1));
    pages.endSession('another');
    pages.endSession('session');
    stopWaiting();
    pages.endSession('session');
    expect(closed).toBe(1);
  });
});
