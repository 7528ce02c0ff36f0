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

const maya = { orgId: 'a', userId: 'maya' };
const omar = { orgId: 'a', userId: 'omar' };

describe('live pages', () => {
  test('[D35] every open page of an organisation hears of a change, nobody else does', () => {
    const { hub: pages } = hub();
    const heard: string[] = [];
    pages.listen(maya, () => heard.push('first'));
    pages.listen(omar, () => heard.push('second'));
    pages.listen({ ...maya, orgId: 'b' }, () => heard.push('other'));
    pages.deliver('a', { kinds: ['board'] });
    expect(heard).toEqual(['first', 'second']);
  });

  test('[D35] what is meant for one person is heard on all pages of that person and on no other', () => {
    const { hub: pages } = hub();
    const heard: unknown[] = [];
    pages.listen(maya, (message) => heard.push(['one', message]));
    pages.listen(maya, (message) => heard.push(['two', message]));
    pages.listen(omar, (message) => heard.push(['omar', message]));
    pages.deliver('a', { kinds: [], persons: { maya: ['me'] } });
    expect(heard.splice(0)).toEqual([
      ['one', { kinds: ['me'] }],
      ['two', { kinds: ['me'] }],
    ]);
    pages.deliver('a', { kinds: ['board'], persons: { omar: ['me', 'board'] } });
    expect(heard).toEqual([
      ['one', { kinds: ['board'] }],
      ['two', { kinds: ['board'] }],
      ['omar', { kinds: ['board', 'me'] }],
    ]);
  });

  test('[D35] what changed for a team reaches every page, which knows whether it is its own', () => {
    const { hub: pages } = hub();
    const heard: unknown[] = [];
    pages.listen(maya, (message) => heard.push(message));
    pages.deliver('a', { kinds: ['stats'], teams: { thunder: ['challenges'] }, persons: { omar: ['me'] } });
    expect(heard).toEqual([{ kinds: ['stats'], teams: { thunder: ['challenges'] } }]);
  });

  test('one subscription serves all pages of an organisation and ends with the last of them', () => {
    const { hub: pages, calls } = hub();
    const [leaveFirst, leaveSecond] = [pages.listen(maya, () => {}), pages.listen(maya, () => {})];
    leaveFirst();
    expect(calls).toEqual(['+a']);
    leaveSecond();
    leaveSecond();
    expect(calls).toEqual(['+a', '-a']);
    pages.listen(maya, () => {});
    expect(calls).toEqual(['+a', '-a', '+a']);
  });

  test('[D31] the page of a session that ends is closed, once', () => {
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
