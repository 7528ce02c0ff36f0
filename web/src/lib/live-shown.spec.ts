// @vitest-environment node
import type { NameOptions } from '@caravan/contracts/http/ballots';
import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { cursorSchema } from '@caravan/contracts/http/paging';
import type { Comment } from '@caravan/contracts/http/comments';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { describe, expect, test } from 'vitest';
import { partTopicsOf, placeShown, topicOf } from './live-shown.ts';

const post = (hour: number): FeedPost => ({
  id: `p${hour}`,
  createdAt: `2026-11-22T${String(hour).padStart(2, '0')}:00:00.000Z`,
  user: { name: 'Omar', avatar: null, profileId: null },
  source: 'manual',
  activityType: 'Walking',
  distanceMiles: '3.00',
  durationMinutes: 30,
  caption: null,
  photoUrl: null,
  photo: null,
  reactions: {},
  comments: 0,
  myReactions: [],
});
const nextPage = cursorSchema.parse('a');
const page = (hours: readonly number[], next: string | null) => ({ rows: hours.map(post), next });
const feed = (...pages: ReturnType<typeof page>[]) => ({ pages, pageParams: pages.map(() => null) });
const newest = (...hours: number[]) => ({ feed: { posts: hours.map(post), next: nextPage } });
const key = ['/api/feed', 'all'];

test('[S18] a feed of one page becomes the newest posts, as a GET would answer', () => {
  expect(placeShown(key, feed(page([9, 8], 'b')), newest(10, 9))).toEqual(feed(page([10, 9], 'a')));
  expect(placeShown(key, feed(page([9, 8], 'b')), newest(20, 19))).toEqual(feed(page([20, 19], 'a')));
});

test('[S18 D17] a feed of several pages misses no post and shows none twice', () => {
  const before = feed(page([9, 8], 'b'), page([7, 6], 'c'));
  expect(placeShown(key, before, newest(11, 10, 9))).toEqual(feed(page([11, 10, 9, 8], 'b'), page([7, 6], 'c')));
  // 9 was taken back: what follows moves up, 7 among it.
  expect(placeShown(key, before, newest(8, 7))).toEqual(feed(page([8, 7], 'b'), page([6], 'c')));
  // More came than the stream carries: what lies between has to be asked for.
  expect(placeShown(key, before, newest(20, 19))).toBeUndefined();
});

test('[S18] a bonus challenge stays completed while it is the same one', () => {
  const { isCompleted, ...open }: BonusChallenge = {
    id: 'b1',
    title: 'Walk',
    description: '',
    activityType: 'Walking',
    targetDurationMinutes: 30,
    targetDistanceMiles: null,
    multiplier: 2,
    expiresAt: '',
    isActive: true,
    isCompleted: true,
  };
  const bonusKey = ['/api/bonus-challenge'];
  const after = (shown: object, before: unknown = { ...open, isCompleted }) =>
    placeShown(bonusKey, before, { bonus: shown });
  expect(after({ open })).toEqual({ ...open, isCompleted: true });
  expect(after({ open: { ...open, id: 'b2' } })).toEqual({ ...open, id: 'b2', isCompleted: false });
  expect(after({ open, isCompleted: false })).toEqual({ ...open, isCompleted: false });
  expect(after({ open: null })).toBeNull();
  expect(after({ open }, null)).toEqual({ ...open, isCompleted: false });
});

test('[S18 D14] progress is placed by challenge, and what is not named stays', () => {
  const of = (id: string) => ['/api/weekly-challenges', id, 'progress'];
  const before = { currentProgress: 1, targetValue: 5, bonusAwarded: true };
  const shown = { challenges: { progress: { c1: { currentProgress: 2 } } } };
  expect(placeShown(of('c1'), before, shown)).toEqual({ ...before, currentProgress: 2 });
  expect(placeShown(of('c2'), before, shown)).toEqual(before);
  expect(placeShown(['/api/weekly-challenges'], [], shown)).toEqual([]);
});

test('[S18 D33] a journey on another route is asked for', () => {
  const before = { route: { id: 'route-66' }, teams: [], reached: [], startedAt: '' };
  const shownJourney = (routeId: string) => ({ journey: { routeId, startedAt: '', teams: [], reached: [] } });
  expect(placeShown(['/api/journey'], before, shownJourney('route-66'))).toEqual(before);
  expect(placeShown(['/api/journey'], before, shownJourney('camino-frances'))).toBeUndefined();
  expect(placeShown(['/api/journey'], null, shownJourney('route-66'))).toBeUndefined();
});

test('[S18 D20] a ballot is placed with one’s own choice, which no news tells', () => {
  const ballotKey = ['/api/teams', 't1', 'name-options'];
  const options: Omit<NameOptions, 'chosenName'> = {
    ballotId: 'b1',
    state: 'open',
    nameOptions: [{ name: 'Otters', votes: 2 }],
    hasVoted: true,
    votingPeriod: { endsAt: '2026-11-29T08:00:00.000Z' },
    result: null,
  };
  const after = (before: unknown, changed: Partial<NameOptions> = {}) =>
    placeShown(ballotKey, before, { ballot: { options: { ...options, ...changed } } });
  const voted = { ...options, nameOptions: [], chosenName: 'Otters' };
  expect(after(voted)).toEqual({ ...options, chosenName: 'Otters' });
  expect(after(voted, { ballotId: 'b2', hasVoted: false })).toMatchObject({ ballotId: 'b2', chosenName: null });
  // Voted elsewhere meanwhile: what for has to be asked.
  expect(after({ ...voted, hasVoted: false, chosenName: null })).toBeUndefined();
  expect(after(null, { hasVoted: false })).toMatchObject({ hasVoted: false, chosenName: null });
  expect(placeShown(ballotKey, voted, { ballot: { options: null } })).toBeNull();
});

test('[S18 D19] the newest posts come without one’s own reactions, which stay', () => {
  const own = { ...post(9), myReactions: ['💪' as const] };
  const told = { ...post(9), myReactions: undefined, reactions: { '💪': 2 } };
  const { myReactions: _, ...news } = told;
  const after = placeShown(
    key,
    { pages: [{ rows: [own], next: null }], pageParams: [null] },
    { feed: { posts: [news], next: null } },
  );
  expect(after).toMatchObject({ pages: [{ rows: [{ reactions: { '💪': 2 }, myReactions: ['💪'] }] }] });
});

const activity = (hour: number): ActivityFeedItem => ({
  id: `p${hour}`,
  kind: 'movement',
  userName: 'Omar',
  userPhotoUrl: null,
  profileId: null,
  teamName: '',
  teamEmoji: '',
  activityType: 'Walking',
  durationMinutes: 30,
  distanceMiles: '3.00',
  photoPrompt: null,
  photoUrl: null,
  photo: null,
  location: null,
  createdAt: post(hour).createdAt,
  timeAgo: '',
  heartRate: null,
  calories: null,
  reactions: { likes: 0, comments: 0 },
  bonusChallengeId: null,
  isBonusChallenge: false,
  checkpoint: null,
  myReactions: [],
});
const activities = (hours: readonly number[], next: string | null) => ({
  pages: [{ activities: hours.map(activity), hasMore: next !== null, next }],
  pageParams: [null],
});
const activityKey = ['/api/activity-feed', 'all'];

test('[S18 D33] the activity feed becomes the newest activities', () => {
  const shown = { activities: { activities: [10, 9].map(activity), next: nextPage } };
  expect(placeShown(activityKey, activities([9, 8], null), shown)).toEqual(activities([10, 9], 'a'));
  const before = activities([9, 8], null);
  const mine = {
    ...before,
    pages: before.pages.map((one) => ({ ...one, activities: [{ ...activity(9), myReactions: ['🙌' as const] }] })),
  };
  expect(
    placeShown(activityKey, mine, {
      activities: { activities: [{ ...activity(9), myReactions: undefined }], next: null },
    }),
  ).toMatchObject({ pages: [{ activities: [{ myReactions: ['🙌'] }] }] });
  expect([activityKey, ['/api/activity-feed', 'team']].map(topicOf)).toEqual(['activities', 'activities-team']);
});

test('[D19 D35 D50] counts of reactions and comments are placed in every feed, however deep the post', () => {
  const shown = {
    reactions: { posts: { p6: { '💪': 2, '❤️': 1 } } },
    comments: { threads: [{ entryId: 'p9', count: 4, changed: [], gone: [] }] },
  };
  const deep = feed(page([9, 8], 'b'), page([7, 6], 'c'));
  const after = placeShown(['/api/feed', 'mine'], deep, shown) as typeof deep;
  expect(after.pages[1]?.rows[1]).toMatchObject({ reactions: { '💪': 2, '❤️': 1 }, comments: 0 });
  expect(after.pages[0]?.rows[0]).toMatchObject({ reactions: {}, comments: 4 });
  const list = placeShown(activityKey, activities([9, 6], null), shown) as ReturnType<typeof activities>;
  expect(list.pages[0]?.activities.map(({ reactions }) => reactions)).toEqual([
    { likes: 0, comments: 4 },
    { likes: 3, comments: 0 },
  ]);
});

describe('[D35 D50] an open thread', () => {
  const threadKey = ['/api/feed', 'p9', 'comments'];
  const comment = (id: string, more: Partial<Comment> = {}): Comment => ({
    id,
    user: { name: 'Omar', avatar: null, profileId: 'o' },
    text: id,
    mentions: [],
    createdAt: '',
    editedAt: null,
    isMine: false,
    hidden: null,
    ...more,
  });
  const thread = (rows: Comment[], next: string | null = null) => ({ pages: [{ rows, next }], pageParams: [null] });
  type News = { changed?: Comment[] | null; gone?: string[] };
  const after = (before: object, count: number, { changed = [], gone = [] }: News) =>
    placeShown(threadKey, before, { comments: { threads: [{ entryId: 'p9', count, changed, gone }] } });

  test('grows by what is new, and stays one’s own where it was', () => {
    const mine = comment('a', { isMine: true });
    expect(after(thread([mine]), 2, { changed: [comment('a', { text: 'A' }), comment('b')] })).toEqual(
      thread([{ ...mine, text: 'A' }, comment('b')]),
    );
    expect(placeShown(threadKey, thread([mine]), { comments: { threads: [] } })).toEqual(thread([mine]));
  });

  test('follows what was edited, deleted, hidden and shown again, however old, and whether or not more follow', () => {
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => comment(id)) as [
      Comment,
      Comment,
      Comment,
      Comment,
      Comment,
    ];
    const edited = { ...a, text: 'Edited', editedAt: '2026-11-22T09:00:00.000Z' };
    expect(after(thread([a, b, c, d, e]), 5, { changed: [edited] })).toEqual(thread([edited, b, c, d, e]));
    expect(after(thread([a, b, c, d, e]), 4, { gone: ['a'] })).toEqual(thread([b, c, d, e]));
    expect(after(thread([a, c], 'more'), 9, { changed: [b], gone: ['a'] })).toEqual(thread([b, c], 'more'));
    expect(after(thread([a, c, d]), 4, { changed: [b] })).toEqual(thread([a, b, c, d]));
    const hidden = comment('b', { isMine: true, hidden: { reason: 'Unkind' } });
    expect(after(thread([a, hidden]), 2, { changed: [b] })).toEqual(thread([a, { ...b, isMine: true }]));
  });

  test('is asked for where more changed than was told, and counts none that is hidden', () => {
    expect(after(thread([comment('a'), comment('b')]), 1, {})).toBeUndefined();
    expect(after(thread([comment('a'), comment('b')]), 2, { changed: null })).toBeUndefined();
    const hidden = comment('h', { isMine: true, hidden: { reason: 'Unkind' } });
    expect(after(thread([hidden]), 1, { changed: [comment('i')] })).toEqual(thread([hidden, comment('i')]));
  });

  test('shows what is new below its last page only', () => {
    const first = [comment('a')];
    const second = [comment('b')];
    expect(after(thread(first, 'more'), 60, { changed: [comment('z')] })).toEqual(thread(first, 'more'));
    const both = {
      pages: [
        { rows: first, next: 'more' },
        { rows: second, next: null },
      ],
      pageParams: [null, 'more'],
    };
    expect(after(both, 3, { changed: [comment('z')] })).toMatchObject({
      pages: [{ rows: first }, { rows: [{ id: 'b' }, { id: 'z' }] }],
    });
  });

  test('has its topic beside that of the lists', () => {
    expect([threadKey, key, activityKey, ['/api/me']].map(partTopicsOf)).toEqual([
      ['comments'],
      ['reactions', 'comments'],
      ['reactions', 'comments'],
      [],
    ]);
  });
});
