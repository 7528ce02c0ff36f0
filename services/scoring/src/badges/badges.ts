import { textKey } from '@caravan/contracts/domain/text/text-key';
import type { Decider } from '@caravan/event-store/core/decider';
import { catalogue } from './catalogue.ts';
import type { Badge, Metric } from './catalogue.ts';

type BadgeEarnedData = { userId: string; badgeId: string; earnedAt: string };

/** A badge that rests on data only its owner may see (D21) is seen by its owner alone, and goes when that data goes (D13). */
export type BadgesEvent =
  | { type: 'BadgeEarned'; data: BadgeEarnedData & { isOwnerOnly?: true } }
  /** An owner's badge that data for colleagues has earned since. */
  | { type: 'BadgeShown'; data: BadgeEarnedData }
  | { type: 'BadgeWithdrawn'; data: { userId: string; badgeId: string; withdrawnAt: string } };

export type DueBadge = { readonly badgeId: string; readonly earnedAt: string; readonly isOwnerOnly?: true };

export type AwardBadges = {
  type: 'AwardBadges';
  userId: string;
  /** When each was met (UTC). */
  badges: readonly DueBadge[];
};

/** The data behind these badges is gone. */
export type WithdrawBadges = { type: 'WithdrawBadges'; userId: string; badgeIds: readonly string[] };

export type BadgesCommand = AwardBadges | WithdrawBadges;

/** The audience of each badge of a member. A badge that was shown to everybody is never hidden again. */
export type Badges = ReadonlyMap<string, 'everybody' | 'owner'>;

export const badges: Decider<Badges, BadgesCommand, BadgesEvent> = {
  category: 'badges',
  initial: new Map(),

  decide(command, state, { at }) {
    if (command.type === 'AwardBadges') return decideAward(command, state);
    const { userId, badgeIds } = command;
    return badgeIds
      .filter((badgeId) => state.get(badgeId) === 'owner')
      .map((badgeId) => ({ type: 'BadgeWithdrawn', data: { userId, badgeId, withdrawnAt: at.toISOString() } }));
  },

  evolve(state, event) {
    const { badgeId } = event.data;
    if (event.type === 'BadgeWithdrawn') return new Map([...state].filter(([id]) => id !== badgeId));
    // Stryker disable next-line ConditionalExpression: what is shown says nothing of its owner alone.
    const isOwnerOnly = event.type === 'BadgeEarned' && event.data.isOwnerOnly === true;
    return new Map(state).set(badgeId, isOwnerOnly ? 'owner' : 'everybody');
  },
};

function decideAward({ userId, badges: due }: AwardBadges, state: Badges): BadgesEvent[] {
  const seenBy = new Map(state);
  return due.flatMap(({ isOwnerOnly, ...badge }): BadgesEvent[] => {
    const known = seenBy.get(badge.badgeId);
    if (known === 'everybody' || (known === 'owner' && isOwnerOnly)) return [];
    seenBy.set(badge.badgeId, isOwnerOnly ? 'owner' : 'everybody');
    const data = { userId, ...badge };
    if (known === 'owner') return [{ type: 'BadgeShown', data }];
    return [{ type: 'BadgeEarned', data: isOwnerOnly ? { ...data, isOwnerOnly } : data }];
  });
}

export type Figures = Readonly<Partial<Record<Metric, number>>>;

export function earnedBadgeIds(of: readonly Badge[], figures: Figures): string[] {
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
    (thresholds.activities !== null && !thresholds.activities.has(textKey(figures.activityType)))
  );
}
