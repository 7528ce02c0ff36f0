import { addDays } from '@caravan/contracts/local-days';
import { milesOf } from '@caravan/contracts/miles';
import { earned, type AwardBadges, type Figures } from './badges.ts';
import type { Badge } from './catalogue.ts';

/** One entry of a member's ledger as badges look at it. */
export type PastEntry = {
  /** When the movement ended, or the miles were credited where there was none (UTC). */
  readonly at: string;
  readonly centimiles: number;
  readonly creditedOn: string;
  /** Null for entries that are no log. */
  readonly activityType: string | null;
};

const dayMilliseconds = 86_400_000;

/**
 * What counts as the moment in which a movement earned a badge: that of logging it, unless it ended more than a day
 * before. Then it is history, and nobody wants to be surprised by it.
 */
export function earnedAtOf(endedAt: Date, loggedAt: Date): Date {
  return loggedAt.getTime() - endedAt.getTime() > dayMilliseconds ? endedAt : loggedAt;
}

/** The badges that a history earns, each with the instant at which its condition was met first. */
export function earnedInHistory(of: readonly Badge[], history: readonly PastEntry[]): AwardBadges['badges'] {
  const found = new Map<string, string>();
  const days = new Set<string>();
  const activities = new Set<string>();
  let centimiles = 0;
  let logs = 0;
  for (const entry of history.toSorted((a, b) => a.at.localeCompare(b.at))) {
    centimiles += entry.centimiles;
    if (entry.activityType !== null) {
      logs += 1;
      activities.add(entry.activityType.toLowerCase());
      days.add(entry.creditedOn);
    }
    const streakDays = lengthOfRun(days, entry.creditedOn);
    const figures: Figures = { miles: milesOf(centimiles), logs, activities: activities.size, streakDays };
    for (const id of earned(of, figures)) if (!found.has(id)) found.set(id, entry.at);
  }
  return [...found].map(([badgeId, earnedAt]) => ({ badgeId, earnedAt }));
}

function lengthOfRun(days: ReadonlySet<string>, day: string): number {
  let length = 0;
  for (let back = day; days.has(back); back = addDays(back, -1)) length += 1;
  for (let on = addDays(day, 1); days.has(on); on = addDays(on, 1)) length += 1;
  return length;
}
