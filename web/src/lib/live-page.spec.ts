import { liveKinds } from '@caravan/contracts/http/live';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { board, me, stats } from '../testing/app.tsx';
import { HttpError } from './http-error.ts';
import { LivePage } from './live-page.ts';
import { keysOf } from './query-keys.ts';
import { createQueryClient } from './query-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const statsKey = ['/api/dashboard/stats'];
const boardKey = ['/api/leaderboard'];
const mineKey = ['/api/feed', 'mine'];

/** A page that shows queries; `asked` is what it GETs, `answer` what it gets. */
function openPage(keys: readonly string[][], { pages = 1, chance = 0.5, answersIn = 10 } = {}) {
  const queryClient = createQueryClient();
  const asked: string[] = [];
  const aborted: string[] = [];
  const looks = { isLookedAt: true, askedAgo: 0, answer: {} as object, error: undefined as Error | undefined };
  const stops: (() => void)[] = [];
  for (const queryKey of keys) {
    queryClient.setQueryData(queryKey, { is: 'first' });
    const observer = new QueryObserver(queryClient, {
      queryKey,
      queryFn: ({ signal }) => {
        const { answer, error } = looks;
        asked.push(queryKey.join(' '));
        signal.addEventListener('abort', () => aborted.push(queryKey.join(' ')));
        return new Promise<object>((resolve, reject) =>
          setTimeout(() => (error ? reject(error) : resolve(answer)), answersIn),
        );
      },
    });
    stops.push(observer.subscribe(() => undefined));
  }
  const page = new LivePage({
    queryClient,
    isLookedAt: () => looks.isLookedAt,
    sinceFirstAsked: () => looks.askedAgo,
    ownTeamId: () => queryClient.getQueryData<typeof me>(['/api/me'])?.team.id,
    chance: () => chance,
  });
  page.hear({ kinds: [], pages });
  const leave = () => stops.forEach((stop) => stop());
  return { queryClient, page, asked, aborted, looks, leave };
}

test('[D35] every kind of change has its queries', () => {
  expect(Object.keys(keysOf).toSorted()).toEqual([...liveKinds].toSorted());
});

describe('[S18] a page that hears of a change', () => {
  test('[D35] that was told after it asked and before it listened asks for it; for what the stream is about to carry only if that does not come', async () => {
    const devicesKey = ['/api/fitness/status'];
    const { page, asked, looks } = openPage([statsKey, boardKey, devicesKey, ['/api/me']]);
    looks.askedAgo = 900;
    page.hear({ kinds: ['stats', 'board'], own: ['devices'], missed: 900 });
    page.hear({ kinds: [], own: ['me'], missed: 901 });
    page.hear({ kinds: [], shown: { board } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual(['/api/fitness/status']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(['/api/fitness/status', '/api/dashboard/stats']);
  });

  test('puts in place what the stream carries and asks for nothing of it', async () => {
    const { queryClient, page, asked } = openPage([statsKey, boardKey], { pages: 1_000 });
    queryClient.setQueryData(statsKey, stats);
    queryClient.setQueryData(boardKey, board);
    for (let second = 0; second < 60; second += 1) {
      page.hear({ kinds: ['stats', 'board'], shown: { stats: { userRank: second }, board: { userPosition: second } } });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(asked).toEqual([]);
    expect(queryClient.getQueryData(statsKey)).toEqual({ ...stats, userRank: 59 });
    expect(queryClient.getQueryData(boardKey)).toEqual({ ...board, userPosition: 59 });
  });

  test('[D19 D50] places reactions and comments in its feeds, own ones too, and asks for none of them', async () => {
    const allKey = ['/api/feed', 'all'];
    const { queryClient, page, asked } = openPage([allKey, mineKey]);
    const list = { pages: [{ rows: [{ id: 'p1', reactions: {}, comments: 0 }], next: null }], pageParams: [null] };
    for (const key of [allKey, mineKey]) queryClient.setQueryData(key, list);
    expect(page.topics().toSorted()).toEqual(['comments', 'feed', 'reactions']);
    const shown = {
      reactions: { posts: { p1: { '💪': 1 } } },
      comments: { threads: [{ entryId: 'p1', count: 2, changed: [], gone: [] }] },
    };
    page.hear({ kinds: ['reactions', 'comments'], shown });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
    for (const key of [allKey, mineKey])
      expect(queryClient.getQueryData(key)).toMatchObject({
        pages: [{ rows: [{ id: 'p1', reactions: { '💪': 1 }, comments: 2 }] }],
      });
  });

  test('[D18 D19] asks for its feeds, own ones too, where news of reactions came without them', async () => {
    const { page, asked } = openPage([mineKey, ['/api/feed', 'p1', 'comments']]);
    page.hear({ kinds: [], own: ['reactions'] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(['/api/feed mine']);
  });

  test('[D50] leaves threads alone when somebody logs', async () => {
    const { page, asked } = openPage([['/api/feed', 'p1', 'comments']]);
    page.hear({ kinds: ['feed'] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
  });

  test('marks as stale what is not on the screen', () => {
    const { queryClient, page, asked } = openPage([statsKey]);
    for (const key of [['/api/feed', 'all'], boardKey, ['/api/me']]) queryClient.setQueryData(key, {});
    page.hear({ kinds: ['feed', 'board'] });
    const isStale = (key: string[]) => queryClient.getQueryState(key)?.isInvalidated;
    expect([['/api/feed', 'all'], boardKey, ['/api/me']].map(isStale)).toEqual([true, true, false]);
    page.hear('everything');
    expect(isStale(['/api/me'])).toBe(true);
    expect(asked).toEqual([]);
  });

  test('asks at once where few are open, and within ten seconds, by chance, where many are', async () => {
    const alone = openPage([statsKey]);
    alone.page.hear({ kinds: ['stats'] });
    await vi.advanceTimersByTimeAsync(20);
    expect(alone.asked).toEqual(['/api/dashboard/stats']);
    for (const [chance, seconds] of [
      [0.1, 1],
      [0.9, 9],
    ] as const) {
      const { page, asked } = openPage([statsKey], { pages: 1_000, chance });
      page.hear({ kinds: ['stats'] });
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 10);
      expect(asked).toEqual([]);
      await vi.advanceTimersByTimeAsync(20);
      expect(asked).toHaveLength(1);
    }
  });

  test('asks at most once in ten seconds among many open pages, however much changes, and is right after the last', async () => {
    const { page, asked, aborted, queryClient, looks } = openPage([statsKey, boardKey], { pages: 300, answersIn: 700 });
    for (let tick = 0; tick < 240; tick += 1) {
      looks.answer = { tick };
      page.hear({ kinds: ['stats', 'board'], pages: 300 });
      await vi.advanceTimersByTimeAsync(250);
    }
    // Two queries, a minute: one GET for each ten seconds of both together.
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.length).toBeLessThanOrEqual(8);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(queryClient.getQueryData(statsKey)).toEqual({ tick: 239 });
    expect(aborted).toEqual([]);
  });

  test('leaves an answer under way alone, and asks again when it has come', async () => {
    const { page, asked, aborted } = openPage([statsKey], { answersIn: 1_000 });
    page.hear({ kinds: ['stats'] });
    await vi.advanceTimersByTimeAsync(100);
    page.hear({ kinds: ['stats'] });
    await vi.advanceTimersByTimeAsync(800);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([asked.length, aborted.length]).toEqual([2, 0]);
  });

  test('keeps what the stream carried while an answer from before was under way', async () => {
    const { page, queryClient, looks } = openPage([statsKey], { answersIn: 1_000 });
    looks.answer = { ...stats, userRank: 7 };
    void queryClient.invalidateQueries({ queryKey: statsKey });
    page.hear({ kinds: ['stats'], shown: { stats: { userRank: 6 } } });
    await vi.advanceTimersByTimeAsync(1_100);
    expect(queryClient.getQueryData(statsKey)).toEqual({ ...stats, userRank: 6 });
    void queryClient.invalidateQueries({ queryKey: statsKey });
    await vi.advanceTimersByTimeAsync(1_100);
    expect(queryClient.getQueryData(statsKey)).toEqual({ ...stats, userRank: 7 });
  });

  test('asks for nothing while nobody looks at it, and for what it missed as soon as somebody does', async () => {
    const { page, asked, looks } = openPage([statsKey, boardKey], { pages: 1_000 });
    looks.isLookedAt = false;
    page.hear({ kinds: ['stats', 'board'] });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked).toEqual([]);
    looks.isLookedAt = true;
    page.look();
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toHaveLength(2);
  });

  test('asks soon for what concerns its reader alone, which others’ news is not', async () => {
    const { page, asked } = openPage([mineKey], { pages: 1_000 });
    page.hear({ kinds: ['feed'] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
    page.hear({ kinds: ['feed'], own: ['feed'] });
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toEqual(['/api/feed mine']);
  });

  test('[D14 D35] of another team asks for nothing; who is not known yet asks', async () => {
    const key = ['/api/weekly-challenges'];
    const { page, asked, queryClient } = openPage([key]);
    const asksAfter = async (teamId: string) => {
      asked.length = 0;
      page.hear({ kinds: ['stats'], teams: { [teamId]: ['challenges'] } });
      await vi.advanceTimersByTimeAsync(2_000);
      return asked.length;
    };
    expect(await asksAfter('t2')).toBe(1);
    queryClient.setQueryData(['/api/me'], me);
    expect([await asksAfter('t2'), await asksAfter(me.team.id)]).toEqual([0, 1]);
  });
});

describe('[S18] a page whose stream was away', () => {
  test('asks within ten seconds for what no stream carries, and later only for what has not come', async () => {
    const { page, asked } = openPage([['/api/me'], statsKey, boardKey], { pages: 1_000, chance: 0.9 });
    page.hear('everything');
    await vi.advanceTimersByTimeAsync(8_900);
    expect(asked).toEqual([]);
    page.hear({ kinds: [], shown: { stats } });
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toEqual(['/api/me']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(['/api/me', '/api/leaderboard']);
  });
});

describe('[D35] an ask that failed', () => {
  const away = new HttpError(503, 'Service Unavailable', '');
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

  test.each([
    ['a service that is away', away],
    ['no network', new TypeError('Failed to fetch')],
  ])('is repeated by itself after growing waits, half a minute at most: %s', async (_, error) => {
    const { page, asked, looks, queryClient } = openPage([statsKey]);
    looks.error = error;
    page.hear({ kinds: ['stats'] });
    const counts: number[] = [];
    for (const seconds of [0.5, 1, 2, 4, 8, 16, 30, 30, 30]) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    looks.error = undefined;
    looks.answer = { is: 'back' };
    await minutes(1);
    expect(queryClient.getQueryData(statsKey)).toEqual({ is: 'back' });
    expect(asked).toHaveLength(10);
    await minutes(60);
    expect(asked).toHaveLength(10);
  });

  test('waits by chance, so that pages do not come in step', async () => {
    const at = async (chance: number) => {
      const { page, asked, looks } = openPage([statsKey], { chance });
      looks.error = away;
      page.hear({ kinds: ['stats'] });
      await vi.advanceTimersByTimeAsync(1_000);
      return asked.length;
    };
    expect([await at(0), await at(1)]).toEqual([2, 1]);
  });

  test('is not repeated while nobody looks, and at once when somebody does', async () => {
    const { page, asked, looks } = openPage([statsKey]);
    looks.error = away;
    page.hear({ kinds: ['stats'] });
    await minutes(1);
    const before = asked.length;
    looks.isLookedAt = false;
    await minutes(1);
    expect(asked.length).toBeLessThanOrEqual(before + 1);
    const hidden = asked.length;
    await minutes(60);
    expect(asked).toHaveLength(hidden);
    looks.isLookedAt = true;
    page.look();
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toHaveLength(hidden + 1);
  });

  test('is not repeated when nothing shows it any more', async () => {
    const { page, asked, looks, leave } = openPage([statsKey]);
    looks.error = away;
    page.hear({ kinds: ['stats'] });
    await vi.advanceTimersByTimeAsync(500);
    leave();
    await minutes(60);
    expect(asked).toHaveLength(1);
  });

  test('is not hastened by news, nor does it abort what is under way', async () => {
    const { page, asked, aborted, looks } = openPage([statsKey], { answersIn: 2_000 });
    looks.error = away;
    for (let second = 0; second < 120; second += 1) {
      page.hear({ kinds: ['stats'] });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect([asked.length, aborted]).toEqual([8, []]);
  });

  test('among many open pages waits between tries as long as with one', async () => {
    const { page, asked, looks } = openPage([statsKey, boardKey], { pages: 300 });
    looks.error = away;
    page.hear({ kinds: ['stats', 'board'], pages: 300 });
    await minutes(1);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.length).toBeLessThanOrEqual(8);
  });

  test('is not repeated where the answer would be the same', async () => {
    const { page, asked, looks } = openPage([statsKey]);
    looks.error = new HttpError(404, 'Not Found', '');
    page.hear({ kinds: ['stats'] });
    await minutes(60);
    expect(asked).toHaveLength(1);
  });
});
