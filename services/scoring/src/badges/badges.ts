import type { Decider } from '@caravan/event-store/decider';
import { catalogue } from './catalogue.ts';
import type { Badge, Metric } from './catalogue.ts';

export type BadgeEarnedData = { userId: string; badgeId: string; earnedAt: string };
export type BadgesEvent = { type: 'BadgeEarned'; data: BadgeEarnedData };

export type AwardBadges = {
  type: 'AwardBadges';
  userId: string;
  /** When each was met (UTC). */
  badges: readonly { readonly badgeId: string; readonly earnedAt: string }[];
};

// Nothing takes a badge away again (D13).

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

export type Figures = Readonly<Partial<Record<Metric, number>>>;

export function earned(of: readonly Badge[], figures: Figures): string[] {
  return of.filter(({ metric, target }) => (figures[metric] ?? 0) >= target).map(({ id }) => id);
}

const byId = new Map(catalogue.map((badge) => [badge.id, badge]));

export const badgeOfId = (badgeId: string): Badge | undefined => byId.get(badgeId);

/** How far a member may go before a badge can be earned; Infinity where none is left. */
export type NextThresholds = {
  readonly miles: number;
  readonly streakDays: number;
  /** Each log is at least one entry. */
  readonly entries: number;
  readonly activities: ReadonlySet<string> | null;
};

export type MemberFigures = {
  readonly miles: number;
  readonly streakDays: number;
  readonly entries: number;
  readonly activityType: string;
};

export function nextThresholdsOf(
  catalogue: readonly Badge[],
  figures: Figures,
  have: { readonly badgeIds: ReadonlySet<string>; readonly entries: number; readonly activities: readonly string[] },
): NextThresholds {
  const next = (metric: Metric): number =>
    Math.min(
      ...catalogue.filter(({ id, metric: by }) => by === metric && !have.badgeIds.has(id)).map(({ target }) => target),
    );
  return {
    miles: next('miles'),
    streakDays: next('streakDays'),
    entries: have.entries + next('logs') - (figures.logs ?? 0),
    activities: next('activities') === Infinity ? null : new Set(have.activities),
  };
}

export function mayEarn(thresholds: NextThresholds, figures: MemberFigures): boolean {
  return (
    figures.miles >= thresholds.miles ||
    figures.streakDays >= thresholds.streakDays ||
    figures.entries >= thresholds.entries ||
    (thresholds.activities !== null && !thresholds.activities.has(figures.activityType.toLowerCase()))
  );
}
