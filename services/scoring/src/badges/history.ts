import { addDays } from '@caravan/contracts/local-days';
import { milesOf } from '@caravan/contracts/miles';
import { earned, type AwardBadges, type Figures } from './badges.ts';
import type { Badge } from './catalogue.ts';

export type PastEntry = {
  readonly at: string;
  readonly centimiles: number;
  readonly creditedOn: string;
  readonly activityType: string | null;
};

const dayMilliseconds = 86_400_000;

/** The moment of logging, unless the movement ended more than a day before: nobody wants to be surprised by history. */
export function earnedAtOf(endedAt: Date, loggedAt: Date): Date {
  return loggedAt.getTime() - endedAt.getTime() > dayMilliseconds ? endedAt : loggedAt;
}

export function earnedInHistory(of: readonly Badge[], history: readonly PastEntry[]): AwardBadges['badges'] {
  const found = new Map<string, string>();
  const lengths = new Map<string, number>();
  const activities = new Set<string>();
  let centimiles = 0;
  let logs = 0;
  let streakDays = 0;
  for (const entry of history.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    centimiles += entry.centimiles;
    if (entry.activityType !== null) {
      logs += 1;
      activities.add(entry.activityType.toLowerCase());
      streakDays = Math.max(streakDays, lengthWith(lengths, entry.creditedOn));
    }
    const figures: Figures = { miles: milesOf(centimiles), logs, activities: activities.size, streakDays };
    for (const id of earned(of, figures)) if (!found.has(id)) found.set(id, entry.at);
  }
  return [...found].map(([badgeId, earnedAt]) => ({ badgeId, earnedAt }));
}

function lengthWith(lengths: Map<string, number>, day: string): number {
  if (lengths.has(day)) return 0;
  const before = lengths.get(addDays(day, -1)) ?? 0;
  const after = lengths.get(addDays(day, 1)) ?? 0;
  const length = before + 1 + after;
  for (const end of [day, addDays(day, -before), addDays(day, after)]) lengths.set(end, length);
  return length;
}
