import type { Decider } from '@caravan/event-store/decider';
import { catalogue, type Badge, type Metric } from './catalogue.ts';

// Events

export type BadgeEarnedData = { userId: string; badgeId: string; earnedAt: string };
export type BadgesEvent = { type: 'BadgeEarned'; data: BadgeEarnedData };

// Commands

export type AwardBadges = {
  type: 'AwardBadges';
  userId: string;
  /** When the condition of each was met (UTC). */
  badges: readonly { readonly badgeId: string; readonly earnedAt: string }[];
};

// State: what a member has, by id. Nothing takes a badge away again (D13).

export type Badges = ReadonlySet<string>;

export const badges: Decider<Badges, AwardBadges, BadgesEvent> = {
  category: 'badges',
  initial: new Set(),

  decide({ userId, badges: reached }, state) {
    const known = new Set(state);
    return reached.flatMap(({ badgeId, earnedAt }) => {
      if (known.has(badgeId)) return [];
      known.add(badgeId);
      return [{ type: 'BadgeEarned', data: { userId, badgeId, earnedAt } } as const];
    });
  },

  evolve: (state, { data }) => new Set(state).add(data.badgeId),
};

/** Figures of a member; what is absent is 0. */
export type Figures = Readonly<Partial<Record<Metric, number>>>;

/** The ids of the badges whose target the figures reach, in the order of the catalogue (D13). */
export function earned(of: readonly Badge[], figures: Figures): string[] {
  return of.filter(({ metric, target }) => (figures[metric] ?? 0) >= target).map(({ id }) => id);
}

const byId = new Map(catalogue.map((badge) => [badge.id, badge]));

/** A badge as it looks today; undefined for an id that no catalogue knows any more. */
export const badgeOfId = (badgeId: string): Badge | undefined => byId.get(badgeId);
