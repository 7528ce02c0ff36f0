import type { EarnedBadge, GalleryBadge } from '@caravan/contracts/http/badges';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { standingAt, streakOn, type StreakRun, type StreakStart } from '@caravan/contracts/domain/movement/streak';
import { badgeOfId, type Figures } from './badges.ts';
import { metrics, type Badge } from './catalogue.ts';

export type Earned = { readonly badgeId: string; readonly earnedAt: Date };
/** `isOwnerOnly`: colleagues may not see it (D13). */
export type HeldBadge = Earned & { readonly isOwnerOnly: boolean };

export type Streak = {
  readonly latestRun: StreakRun | null;
  readonly streakStart: StreakStart | null;
  readonly hasFreezes: boolean;
};

/** Of days in a row only the streak that runs on the member's date counts (D10, D11). */
export function figuresOn(
  { figures, timeZone, ...streak }: Streak & { readonly figures: Figures; readonly timeZone: string },
  at: Date,
): Figures {
  return { ...figures, streakDays: streakDaysOn(streak, localDateOf(at, timeZone)) };
}

// Stryker disable next-line LogicalOperator,StringLiteral: up to its last day a run is as long.
export function streakDaysOn({ latestRun, streakStart, hasFreezes }: Streak, day = latestRun?.endedOn ?? ''): number {
  const isOfRun = hasFreezes && streakStart !== null && latestRun?.startedOn === streakStart.startedOn;
  return streakOn(latestRun, day, isOfRun ? standingAt(streakStart, latestRun.endedOn) : undefined).days;
}

export function galleryOf(
  catalogue: readonly Badge[],
  figures: Figures,
  earnedBadges: readonly Earned[],
): GalleryBadge[] {
  const dates = new Map(earnedBadges.map(({ badgeId, earnedAt }) => [badgeId, earnedAt]));
  return catalogue.map((badge) => {
    const earnedAt = dates.get(badge.id);
    return {
      badgeId: badge.id,
      badgeName: badge.name,
      badgeIcon: badge.icon,
      description: badge.description,
      requirement: badge.requirement,
      category: badge.category,
      isEarned: earnedAt !== undefined,
      dateEarned: earnedAt?.toISOString() ?? null,
      progress: progressOf(badge, earnedAt ? badge.target : (figures[badge.metric] ?? 0)),
    };
  });
}

export function earnedBadgesOf(earnedBadges: readonly Earned[]): EarnedBadge[] {
  return earnedBadges
    .toSorted((a, b) => b.earnedAt.getTime() - a.earnedAt.getTime())
    .flatMap(({ badgeId, earnedAt }) => {
      const badge = badgeOfId(badgeId);
      return badge ? [{ badgeName: badge.name, badgeIcon: badge.icon, dateEarned: earnedAt.toISOString() }] : [];
    });
}

function progressOf({ metric, target }: Badge, figure: number): GalleryBadge['progress'] {
  const current = Math.max(0, Math.min(figure, target));
  const words = metrics[metric];
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
  const progressText = `${number(current)} of ${number(target)} ${target === 1 ? words.one : words.many}`;
  return { current, target, progressText };
}
