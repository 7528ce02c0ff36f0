import { specOf } from '@caravan/event-store/testing/given-when-then';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { badgeOfId, badges, earnedBadgeIds, type BadgesEvent } from './badges.ts';
import { catalogue, metrics, type Metric } from './catalogue.ts';
import { badgesPublicEvents } from './public-events.ts';

const userId = '019a8c10-0000-7000-8000-000000000031';
const earnedAt = '2026-11-16T17:31:00.000Z';
const hasEarned = (badgeId: string): BadgesEvent => ({ type: 'BadgeEarned', data: { userId, badgeId, earnedAt } });
const award = (...badgeIds: string[]) => ({
  type: 'AwardBadges' as const,
  userId,
  badges: badgeIds.map((badgeId) => ({ badgeId, earnedAt })),
});
const at = new Date('2026-11-18T09:12:00.000Z');
const given = specOf(badges, { by: null, at });

describe('a badge', () => {
  test('[D13] is earned once: the same award again changes nothing', () => {
    given().when(award('mile-1')).then(hasEarned('mile-1'));
    given(hasEarned('mile-1')).when(award('mile-1')).thenNothing();
    given().when(award('mile-1', 'mile-1')).then(hasEarned('mile-1'));
  });

  test('[D13] is kept: others come beside it', () => {
    given(hasEarned('mile-1')).when(award('mile-1', 'miles-10')).then(hasEarned('miles-10'));
  });
});

describe('a badge that rests on data only its owner may see', () => {
  const own = (badgeId: string): BadgesEvent => ({
    type: 'BadgeEarned',
    data: { userId, badgeId, earnedAt, isOwnerOnly: true },
  });
  const shownEvent = (badgeId: string): BadgesEvent => ({ type: 'BadgeShown', data: { userId, badgeId, earnedAt } });
  const withdrawn = (badgeId: string): BadgesEvent => ({
    type: 'BadgeWithdrawn',
    data: { userId, badgeId, withdrawnAt: at.toISOString() },
  });
  const awardOwn = (badgeId: string) => ({
    type: 'AwardBadges' as const,
    userId,
    badges: [{ badgeId, earnedAt, isOwnerOnly: true as const }],
  });
  const withdraw = (badgeId: string) => ({ type: 'WithdrawBadges' as const, userId, badgeIds: [badgeId] });

  test('[D13 D21] is earned for the owner once, and shown to colleagues once other data has earned it', () => {
    given().when(awardOwn('mile-1')).then(own('mile-1'));
    given(own('mile-1')).when(awardOwn('mile-1')).thenNothing();
    given(own('mile-1')).when(award('mile-1')).then(shownEvent('mile-1'));
    given(own('mile-1'), shownEvent('mile-1')).when(award('mile-1')).thenNothing();
  });

  test('[D13 D21] is withdrawn with that data, and one that colleagues see never is', () => {
    given(own('mile-1')).when(withdraw('mile-1')).then(withdrawn('mile-1'));
    given(own('mile-1'), withdrawn('mile-1')).when(withdraw('mile-1')).thenNothing();
    given(own('mile-1'), withdrawn('mile-1')).when(awardOwn('mile-1')).then(own('mile-1'));
    given(own('mile-1'), shownEvent('mile-1')).when(withdraw('mile-1')).thenNothing();
    given(hasEarned('mile-1')).when(withdraw('mile-1')).thenNothing();
    given(hasEarned('mile-1')).when(awardOwn('mile-1')).thenNothing();
  });

  test('[D13 D21] is withdrawn by itself: others beside it stay', () => {
    const both = { type: 'WithdrawBadges', userId, badgeIds: ['mile-1', 'miles-10'] } as const;
    given(own('mile-1'), own('miles-10')).when(both).then(withdrawn('mile-1'), withdrawn('miles-10'));
    given(own('mile-1'), own('miles-10'), withdrawn('mile-1')).when(both).then(withdrawn('miles-10'));
    given(hasEarned('mile-1'), own('miles-10'), withdrawn('miles-10'))
      .when(award('mile-1', 'miles-10'))
      .then(hasEarned('miles-10'));
  });

  test('[D13 D21] is earned and shown where both kinds of data earn it at once', () => {
    const at = { badgeId: 'mile-1', earnedAt };
    given()
      .when({ type: 'AwardBadges', userId, badges: [{ ...at, isOwnerOnly: true }, at, at] })
      .then(own('mile-1'), shownEvent('mile-1'));
  });

  test('[D13 D21] leaves the service as an event of its own, which consumers of shown badges do not take', () => {
    const decided = { eventId: '', streamId: '', version: 1, orgId: '', actorId: null, recordedAt: at };
    const typeOf = (event: BadgesEvent) => {
      switch (event.type) {
        case 'BadgeEarned':
          return badgesPublicEvents.BadgeEarned({ ...event, ...decided }).type;
        case 'BadgeShown':
          return badgesPublicEvents.BadgeShown({ ...event, ...decided }).type;
        case 'BadgeWithdrawn':
          return badgesPublicEvents.BadgeWithdrawn({ ...event, ...decided }).type;
      }
    };
    expect([own('mile-1'), hasEarned('mile-1'), shownEvent('mile-1'), withdrawn('mile-1')].map(typeOf)).toEqual([
      'OwnBadgeEarned',
      'BadgeEarned',
      'BadgeEarned',
      'BadgeWithdrawn',
    ]);
  });
});

describe('the catalogue', () => {
  test('[1.11 D13 D40] holds 9 milestones, 7 streaks, 9 of activity and 2 of the journey', () => {
    const count: Record<string, number> = {};
    for (const { category } of catalogue) count[category] = (count[category] ?? 0) + 1;
    expect(count).toEqual({ Milestones: 9, Streaks: 7, Activity: 9, Journey: 2 });
  });

  test('[D13] asks for the targets of the specification', () => {
    const targetsOf = (metric: Metric) =>
      catalogue.filter((badge) => badge.metric === metric).map(({ target }) => target);
    expect(targetsOf('miles')).toEqual([1, 10, 25, 50, 100, 250, 500, 1000]);
    expect(targetsOf('streakDays')).toEqual([3, 7, 14, 30, 60, 100, 365]);
    expect(targetsOf('logs')).toEqual([1, 10, 50, 100]);
    expect(targetsOf('activities')).toEqual([5]);
  });

  test('[2.95 3.42] gives each badge an id, a name and an icon of its own, and says what it asks for', () => {
    for (const key of ['id', 'name', 'icon', 'requirement'] as const)
      expect(new Set(catalogue.map((badge) => badge[key])).size).toBe(catalogue.length);
    for (const badge of catalogue) {
      expect(badge.description).toMatch(/[.!]$/);
      expect(badgeOfId(badge.id)).toBe(badge);
    }
  });
});

test('[D13] what figures reach are exactly the badges whose target they have come to', () => {
  const names = Object.keys(metrics) as Metric[];
  const figures = fc.record(Object.fromEntries(names.map((name) => [name, fc.integer({ min: 0, max: 1100 })])));
  fc.assert(
    fc.property(figures, (chosen) => {
      const ids = new Set(earnedBadgeIds(catalogue, chosen));
      for (const { id, metric, target } of catalogue) expect(ids.has(id)).toBe((chosen[metric] ?? 0) >= target);
    }),
  );
  expect(earnedBadgeIds(catalogue, {})).toEqual([]);
});

test('[ADR-0001] badges are found under the category that they were stored under', () => {
  expect(badges.category).toBe('badges');
});
