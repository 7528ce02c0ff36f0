import { notificationKinds } from '@caravan/contracts/domain/notification-kinds';
import { notificationLinks } from '@caravan/contracts/domain/notification-links';
import fc from 'fast-check';
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { datesIn } from '../../lib/dates.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { createAppRouter } from '../../router.tsx';
import { groups } from './kinds.ts';
import { byDay, placeOf, unreadMark } from './notices.ts';

const notice = (createdAt: string) => {
  return { id: createdAt, kind: 'comment', text: 'A', link: '/feed', createdAt, isRead: false, count: 1 } as const;
};
const { dateOf, ofField } = datesIn('Pacific/Auckland');
const at = (hours: number, daysAgo = 0) =>
  ofField(`2026-11-${20 - daysAgo}T${String(hours).padStart(2, '0')}:00`) ?? '';

test('[D34] notices stand under the reader’s own days, newest first', () => {
  const now = Date.parse(at(9));
  const notices = [at(8), at(0), at(23, 1), at(0, 1), at(23, 2), at(1, 2)].map(notice);
  const days = byDay(notices, now, dateOf).map(({ name, on, notices: of }) => [name, on, of.map(({ id }) => id)]);
  expect(days).toEqual([
    ['today', '2026-11-20', [at(8), at(0)]],
    ['yesterday', '2026-11-19', [at(23, 1), at(0, 1)]],
    ['earlier', '2026-11-18', [at(23, 2), at(1, 2)]],
  ]);
});

test('[D34] what a clock ahead of this one says is today, and every notice stands in exactly one day', () => {
  const now = Date.parse(at(9));
  expect(byDay([notice(at(1, -3))], now, dateOf)).toMatchObject([{ name: 'today', notices: [{ id: at(1, -3) }] }]);
  const instants = fc.date({ min: new Date(2025, 0), max: new Date(2027, 0), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(instants), (dates) => {
      const notices = dates.map((date) => notice(date.toISOString()));
      expect(byDay(notices, now, dateOf).flatMap((day) => day.notices)).toHaveLength(notices.length);
    }),
  );
});

test('[D27] beside the bell stand numbers up to 99, and nothing for none', () => {
  expect([0, -1, 1, 99, 100, 12_345].map((count) => unreadMark(count, String))).toEqual([
    '',
    '',
    '1',
    '99',
    '99+',
    '99+',
  ]);
});

test('[D34 S30] a link leads inside the app and nowhere else', () => {
  expect(placeOf('/feed/e1#c1')).toEqual({ to: '/feed/e1', search: {}, hash: 'c1' });
  expect(placeOf('/leaderboard?period=week')).toEqual({ to: '/leaderboard', search: { period: 'week' }, hash: '' });
  for (const link of [
    '',
    'feed',
    'https://evil.example/feed',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
  ])
    expect([link, placeOf(link).to]).toEqual([link, '/notifications']);
});

test('[D34] every kind of notice leads to a screen of the app', () => {
  const router = createAppRouter(createQueryClient(), createMemoryHistory());
  const links = Object.values(notificationLinks).map((link) => (link as (...ids: string[]) => string)('a1', 'b2'));
  expect(links).toHaveLength(notificationKinds.length);
  for (const link of [...links, notificationLinks.checkpoint(null)]) {
    const [routes] = router.getMatchedRoutes(placeOf(link).to);
    expect([link, routes.some(({ id }) => id === '/_member')]).toEqual([link, true]);
  }
});

test('[D34] every kind has its switch, once', () => {
  const switches = groups.flatMap(({ kinds }) => kinds);
  expect(switches.toSorted()).toEqual(notificationKinds.toSorted());
});
