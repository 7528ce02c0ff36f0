import { galleryBadgesSchema } from '@caravan/contracts/http/badges';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { earnedBadgesOf, figuresOn, galleryOf, streakDaysOn } from './gallery.ts';

const earnedAt = new Date('2026-11-16T17:31:00.000Z');
const figures = { miles: 12.5, logs: 3, streakDays: 9, activities: 2 };
const gallery = galleryOf(catalogue, { ...figures, streakDays: 3 }, [{ badgeId: 'miles-10', earnedAt }]);
const badge = (id: string) => gallery.find(({ badgeId }) => badgeId === id);

test('[3.42 7.28] the gallery says of each badge whether and when it was earned, or how far it is', () => {
  expect(galleryBadgesSchema.parse(gallery)).toEqual(gallery);
  expect(gallery).toHaveLength(27);
  expect(badge('miles-10')).toMatchObject({
    isEarned: true,
    dateEarned: '2026-11-16T17:31:00.000Z',
    progress: { current: 10, target: 10, progressText: '10 of 10 miles' },
  });
  expect(badge('miles-25')).toMatchObject({
    isEarned: false,
    dateEarned: null,
    progress: { current: 12.5, target: 25, progressText: '12.5 of 25 miles' },
  });
  expect(badge('streak-7')?.progress.progressText).toBe('3 of 7 days');
  expect(badge('logs-100')?.progress.progressText).toBe('3 of 100 logs');
  expect(badge('miles-1000')?.progress.progressText).toBe('12.5 of 1,000 miles');
});

test('[D13] a badge whose facts nobody tells of yet stays in the gallery without progress', () => {
  expect(badge('first-photo')?.progress).toEqual({ current: 0, target: 1, progressText: '0 of 1 photo' });
});

test('[D11 D13] towards the next streak badge only the streak that runs counts', () => {
  const latestRun = { startedOn: '2026-11-14', endedOn: '2026-11-16' };
  const record = { figures, latestRun, streakStart: null, timeZone: 'Asia/Tokyo', hasFreezes: true };
  expect(figuresOn(record, new Date('2026-11-16T16:00:00.000Z')).streakDays).toBe(3);
  expect(figuresOn(record, new Date('2026-11-17T16:00:00.000Z')).streakDays).toBe(0);
  const streakStart = { startedOn: '2026-11-14', daysBefore: 4, freezes: 0 };
  expect(figuresOn({ ...record, streakStart }, new Date('2026-11-17T16:00:00.000Z')).streakDays).toBe(7);
  // Tokyo's 18 November: a freeze holds what no freeze would.
  const [frozen, lost] = [true, false].map((hasFreezes) => ({
    ...record,
    streakStart: { ...streakStart, freezes: 1 },
    hasFreezes,
  }));
  expect(frozen && figuresOn(frozen, new Date('2026-11-17T16:00:00.000Z')).streakDays).toBe(7);
  expect(lost && figuresOn(lost, new Date('2026-11-17T14:00:00.000Z')).streakDays).toBe(3);
  expect(lost && figuresOn(lost, new Date('2026-11-17T16:00:00.000Z')).streakDays).toBe(0);
  expect(figuresOn({ ...record, latestRun: null }, earnedAt)).toEqual({ ...figures, streakDays: 0 });
});

test('[3.41 7.27] own badges come with name, icon and date, the latest first', () => {
  const later = new Date('2026-11-18T08:00:00.000Z');
  expect(
    earnedBadgesOf([
      { badgeId: 'miles-10', earnedAt },
      { badgeId: 'streak-7', earnedAt: later },
      { badgeId: 'no-longer-in-the-catalogue', earnedAt },
    ]),
  ).toEqual([
    { badgeName: 'Week on Fire', badgeIcon: '🔥', dateEarned: '2026-11-18T08:00:00.000Z' },
    { badgeName: 'Ten Miler', badgeIcon: '🚶', dateEarned: '2026-11-16T17:31:00.000Z' },
  ]);
});

test('[3.42] progress never stands below nothing nor above its target', () => {
  const texts = (miles: number) =>
    galleryOf(catalogue, { miles }, [])
      .filter(({ badgeId }) => ['mile-1', 'miles-10'].includes(badgeId))
      .map(({ progress }) => progress);
  expect(texts(-3)).toEqual([
    { current: 0, target: 1, progressText: '0 of 1 mile' },
    { current: 0, target: 10, progressText: '0 of 10 miles' },
  ]);
  expect(texts(99.129)).toMatchObject([{ current: 1 }, { current: 10, progressText: '10 of 10 miles' }]);
  expect(texts(0.129)[1]).toEqual({ current: 0.129, target: 10, progressText: '0.13 of 10 miles' });
});

test('[3.42] the gallery shows each badge as the catalogue names it', () => {
  expect(gallery.map(({ badgeId }) => badgeId)).toEqual(catalogue.map(({ id }) => id));
  expect(badge('mile-1')).toEqual({
    badgeId: 'mile-1',
    badgeName: 'First Mile',
    badgeIcon: '🥾',
    description: 'The first mile is the longest one.',
    requirement: 'Earn 1 mile',
    category: 'Milestones',
    isEarned: false,
    dateEarned: null,
    progress: { current: 1, target: 1, progressText: '1 of 1 mile' },
  });
});

test('[D11 D13] a streak counts with what came before its run where freezes hold it and its start is known', () => {
  const latestRun = { startedOn: '2026-11-14', endedOn: '2026-11-16' };
  const streakStart = { startedOn: '2026-11-14', daysBefore: 4, freezes: 0 };
  const of = (changes: object) => streakDaysOn({ latestRun, streakStart, hasFreezes: true, ...changes });
  expect(of({})).toBe(7);
  expect(of({ hasFreezes: false })).toBe(3);
  expect(of({ streakStart: null })).toBe(3);
  expect(of({ streakStart: { ...streakStart, startedOn: '2026-11-01' } })).toBe(3);
  expect(of({ latestRun: null })).toBe(0);
  expect(of({ latestRun: null, streakStart: null })).toBe(0);
});
