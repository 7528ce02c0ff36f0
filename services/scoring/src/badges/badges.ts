import type { Decider } from '@caravan/event-store/decider';
import { catalogue } from './catalogue.ts';
import type { Badge, Metric } from './catalogue.ts';

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

/** How far a member may go before a badge can be earned that is not theirs yet. Infinity where none is left. */
export type NextThresholds = {
  readonly miles: number;
  readonly streakDays: number;
  /** Number of ledger entries at which the next count of logs can be reached: each log is at least one entry. */
  readonly entries: number;
  /** Activities that count already, in lower case; null once another one earns nothing. */
  readonly activities: ReadonlySet<string> | null;
};

/** The figures of a member once an entry of the ledger is in. */
export type MemberFigures = {
  readonly miles: number;
  readonly streakDays: number;
  readonly entries: number;
  readonly activityType: string;
};

/** The next thresholds of a member with these figures and badges. */
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

/** False when nothing can be earned, so that nobody has to look; true says only that it is worth a look. */
export function mayEarn(thresholds: NextThresholds, figures: MemberFigures): boolean {
  return (
    figures.miles >= thresholds.miles ||
    figures.streakDays >= thresholds.streakDays ||
    figures.entries >= thresholds.entries ||
    (thresholds.activities !== null && !thresholds.activities.has(figures.activityType.toLowerCase()))
  );
}
