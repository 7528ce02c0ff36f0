import { adminKinds, type LiveAnnouncement, liveKinds } from '@caravan/contracts/http/live';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import { describe, expect, test, vi } from 'vitest';
import { LiveHub } from './hub.ts';

function hub() {
  const calls: string[] = [];
  const noted: unknown[] = [];
  const told: { told: LiveAnnouncement; ago: number }[] = [];
  const channel = {
    subscribe: (orgId: string) => Promise.resolve(void calls.push(`+${orgId}`)),
    recentAnnouncements: (orgId: string) => {
      calls.push(`${orgId}?`);
      return Promise.resolve([...told]);
    },
    unsubscribe: (orgId: string) => void calls.push(`-${orgId}`),
    note: (orgId: string, open: object, wanted: object) => Promise.resolve(void noted.push([orgId, open, wanted])),
  };
  return { hub: new LiveHub(channel), calls, noted, told };
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

  test('[S18] what is the same for many reaches those who show it, with what is their own; who sees something else asks', () => {
    const { hub: pages } = hub();
    const heard: unknown[] = [];
    const show = (userId: string, ...shows: LiveTopic[]) =>
      pages.listen({ orgId: 'a', userId, shows }, (message) => heard.push([userId, message]));
    show('maya', 'stats');
    show('omar', 'stats', 'feed');
    show('lena', 'feed');
    show('hidden', 'stats');
    const all = { teamProgress: [] };
    const some = [{ to: ['omar'], data: { userRank: 2 } }];
    pages.deliver('a', {
      kinds: ['stats'],
      pages: 4,
      parts: [{ topic: 'stats', turn: 2, all, some, ask: ['hidden'] }],
    });
    expect(heard.splice(0)).toEqual([
      ['maya', { kinds: ['stats'], pages: 4, shown: { stats: { teamProgress: [] } } }],
      ['omar', { kinds: ['stats'], pages: 4, shown: { stats: { teamProgress: [], userRank: 2 } } }],
      ['lena', { kinds: ['stats'], pages: 4 }],
      ['hidden', { kinds: ['stats'], pages: 4 }],
    ]);
    // What was read before that and comes later is old news: those who show it ask.
    pages.deliver('a', { kinds: [], parts: [{ topic: 'stats', turn: 1, all, some, ask: [] }] });
    expect(heard).toEqual([]);
    // Who has just opened is told alone.
    pages.deliver('a', { kinds: [], parts: [{ topic: 'stats', turn: 3, all, some, ask: [], only: ['omar'] }] });
    expect(heard).toEqual([['omar', { kinds: [], shown: { stats: { teamProgress: [], userRank: 2 } } }]]);
  });

  test('[S18] what changed for a person or a team alone is nothing to ask for elsewhere', () => {
    const { hub: pages } = hub();
    const heard: unknown[] = [];
    for (const userId of ['maya', 'omar'])
      pages.listen({ orgId: 'a', userId, shows: ['challenges'] }, (message) => heard.push([userId, message]));
    const parts = [
      {
        topic: 'challenges' as const,
        turn: 1,
        all: {},
        some: [{ to: ['maya'], data: { progress: {} } }],
        ask: [],
        only: [],
      },
    ];
    const teams = { thunder: ['challenges' as const] };
    pages.deliver('a', { kinds: [], teams, persons: { maya: ['challenges'] }, parts });
    expect(heard).toEqual([
      ['maya', { kinds: [], teams, own: ['challenges'], shown: { challenges: { progress: {} } } }],
      ['omar', { kinds: [], teams, shown: { challenges: {} } }],
    ]);
  });

  test('[S18] who listens is noted soon, together, and new pages want what they show', () => {
    vi.useFakeTimers();
    const { hub: pages, noted } = hub();
    const leaveAll = [
      pages.listen({ ...maya, shows: ['stats', 'feed'] }, () => {}),
      pages.listen({ ...omar, shows: ['feed', 'stats'] }, () => {}),
      pages.listen({ ...omar, orgId: 'b' }, () => {}),
    ];
    vi.advanceTimersByTime(200);
    const groups = [{ topics: ['feed', 'stats'], readers: ['maya', 'omar'] }];
    expect(noted.splice(0)).toEqual([
      ['a', { pages: 2, groups }, groups],
      ['b', { pages: 1, groups: [] }, []],
    ]);
    leaveAll[0]?.();
    vi.advanceTimersByTime(200);
    expect(noted.splice(0)).toEqual([['a', { pages: 1, groups: [{ ...groups[0], readers: ['omar'] }] }, []]]);
    leaveAll[1]?.();
    vi.advanceTimersByTime(200);
    expect(noted).toEqual([['a', { pages: 0, groups: [] }, []]]);
    vi.useRealTimers();
  });

  test('one subscription serves all pages of an organisation and ends with the last of them', () => {
    const { hub: pages, calls } = hub();
    const leaveFirst = pages.listen(maya, () => {});
    const leaveSecond = pages.listen(maya, () => {});
    leaveFirst();
    expect(calls).toEqual(['+a']);
    leaveSecond();
    leaveSecond();
    expect(calls).toEqual(['+a', '-a']);
    pages.listen(maya, () => {});
    expect(calls).toEqual(['+a', '-a', '+a']);
  });

  test('[D35] a page that has just come hears what was told lately and how long ago, as far as it is meant for it', async () => {
    const { hub: pages, calls, told } = hub();
    const heard: unknown[] = [];
    const persons = { maya: ['devices' as const], omar: ['logs' as const] };
    told.push({ told: { kinds: ['teams'], persons }, ago: 40 });
    told.push({ told: { kinds: [], teams: { thunder: ['challenges'] } }, ago: 1_200 });
    told.push({ told: { kinds: [], persons: { omar: ['me'] } }, ago: 2_000 });
    pages.listen(omar, (message) => heard.push(['omar', message]));
    pages.listen({ ...maya, shows: ['stats'], isFirst: true }, (message) => heard.push(['maya', message]));
    await expect
      .poll(() => heard)
      .toEqual([
        ['maya', { kinds: ['teams'], own: ['devices'], missed: 40 }],
        ['maya', { kinds: [], teams: { thunder: ['challenges'] }, missed: 1_200 }],
      ]);
    expect(calls).toEqual(['+a', 'a?']);

    pages.listen({ ...maya, isFirst: true }, (message) => heard.push(['left', message]))();
    await expect.poll(() => calls).toHaveLength(3);
    expect(heard).toHaveLength(2);
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

test('[S18] after a break every page is told that anything may have changed, and is given anew what it shows', () => {
  vi.useFakeTimers();
  const { hub: pages, noted } = hub();
  const heard: unknown[] = [];
  pages.listen({ ...maya, shows: ['stats'], isAdmin: true }, (message) => heard.push(['maya', message]));
  pages.listen({ ...maya, orgId: 'b', isAdmin: true }, (message) => heard.push(['elsewhere', message]));
  vi.advanceTimersByTime(200);
  const partOf = (turn: number) => ({ topic: 'stats' as const, turn, all: { teamProgress: [] }, some: [], ask: [] });
  pages.deliver('a', { kinds: ['stats'], parts: [partOf(9)] });
  heard.length = noted.length = 0;

  pages.resume();
  expect(heard.splice(0)).toEqual([
    ['maya', { kinds: [...liveKinds] }],
    ['elsewhere', { kinds: [...liveKinds] }],
  ]);
  vi.advanceTimersByTime(200);
  const groups = [{ topics: ['stats'], readers: ['maya'] }];
  expect(noted).toEqual([
    ['a', { pages: 1, groups }, groups],
    ['b', { pages: 1, groups: [] }, []],
  ]);
  // Another Redis may have another clock: what it says first is news, whatever came before.
  pages.deliver('a', { kinds: ['stats'], parts: [partOf(1)] });
  expect(heard).toEqual([['maya', { kinds: ['stats'], shown: { stats: { teamProgress: [] } } }]]);
  vi.useRealTimers();
});

test('[S18] of many pages the later ones hear after the requests that came meanwhile, each of them everything in order', async () => {
  const { hub: pages } = hub();
  const heard: string[] = [];
  const listenAs = (name: string) =>
    pages.listen({ orgId: 'a', userId: name }, ({ kinds }) => heard.push(`${name} ${kinds.join()}`));
  const leaveAll = Array.from({ length: 80 }, (_, index) => listenAs(`page ${index}`));
  const turns: number[] = [];
  const request = () => new Promise<void>((resolve) => setImmediate(() => resolve(void turns.push(heard.length))));
  const requests = [request()];
  pages.deliver('a', { kinds: ['board'] });
  pages.deliver('a', { kinds: ['feed'] });
  requests.push(request());
  leaveAll.at(-1)?.();
  listenAs('late');
  await Promise.all(requests);
  expect(turns[0]).toBeGreaterThan(0);
  expect(turns[0]).toBeLessThan(80);
  await vi.waitFor(() => expect(heard).toContain('late feed'), { timeout: 10_000 });
  const names = Array.from({ length: 79 }, (_, index) => `page ${index}`);
  expect(heard).toEqual([...names.map((name) => `${name} board`), ...[...names, 'late'].map((name) => `${name} feed`)]);
});

test('[D3 D35] a change of the member list is told to admins alone, to those as well who have just come', async () => {
  const { hub: pages, told } = hub();
  const heard: unknown[] = [];
  for (const kind of adminKinds) told.push({ told: { kinds: [kind] }, ago: 40 });
  pages.listen({ ...maya, isAdmin: true, isFirst: true }, (message) => heard.push(['admin', message]));
  pages.listen({ ...omar, isAdmin: false, isFirst: true }, (message) => heard.push(['member', message]));
  pages.listen({ ...omar, shows: ['stats'] }, (message) => heard.push(['member’s dashboard', message]));
  await expect.poll(() => heard.splice(0)).toEqual([['admin', { kinds: ['members'], missed: 40 }]]);
  pages.deliver('a', { kinds: ['members'] });
  expect(heard.splice(0)).toEqual([['admin', { kinds: ['members'] }]]);
  pages.deliver('a', { kinds: ['members', 'teams'] });
  expect(heard).toEqual([
    ['admin', { kinds: ['members', 'teams'] }],
    ['member', { kinds: ['teams'] }],
    ['member’s dashboard', { kinds: ['teams'] }],
  ]);
});
