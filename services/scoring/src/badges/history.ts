import { addDays, daysBetween } from '@caravan/contracts/domain/time/local-days';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { standingAt, streakStartOn, type StreakRun, type StreakStart } from '@caravan/contracts/domain/movement/streak';
import { textKey } from '@caravan/contracts/domain/text/text-key';
import { earnedBadgeIds, type DueBadge, type Figures } from './badges.ts';
import type { Badge } from './catalogue.ts';

export type PastEntry = {
  readonly at: string;
  readonly centimiles: number;
  readonly creditedOn: string;
  readonly activityType: string | null;
};

/** `isOwnerOnly`: colleagues may not see it (D21). */
export type OwnEntry = PastEntry & { readonly isOwnerOnly: boolean };

/** `logId`: the log that an entry belongs to; a bonus belongs to none. */
export type LoggedEntry = OwnEntry & { readonly logId: string | null };

/**
 * What was credited, corrected and taken back of one log as one entry, at the moment of the first of them. By their dates,
 * a log that is gone would stand beside others that were logged only afterwards.
 * @param entries those that made a log stand first
 */
export function netOfLogs(entries: readonly LoggedEntry[]): OwnEntry[] {
  const byLog = Map.groupBy(entries, (entry) =>
    entry.logId === null ? entry : `${entry.logId} ${String(entry.isOwnerOnly)}`,
  );
  return [...byLog.values()].flatMap((same) => {
    const [first] = same;
    // Stryker disable next-line ArrayDeclaration: a group has a first one.
    return first ? [{ ...first, centimiles: same.reduce((sum, { centimiles }) => sum + centimiles, 0) }] : [];
  });
}

const dayMilliseconds = 86_400_000;

/** The moment of logging, unless the movement ended more than a day before: nobody wants to be surprised by history. */
export function earnedAtOf(endedAt: Date, loggedAt: Date): Date {
  return loggedAt.getTime() - endedAt.getTime() > dayMilliseconds ? endedAt : loggedAt;
}

export function earnedInHistory(of: readonly Badge[], history: readonly PastEntry[]): DueBadge[] {
  const found = new Map<string, string>();
  const lengths = new Map<string, number>();
  const activities = new Set<string>();
  let centimiles = 0;
  let logs = 0;
  let streakDays = 0;
  for (const entry of history.toSorted((a, b) => a.at.localeCompare(b.at))) {
    centimiles += entry.centimiles;
    if (entry.activityType !== null) {
      logs += 1;
      activities.add(textKey(entry.activityType));
      streakDays = Math.max(streakDays, lengthWith(lengths, entry.creditedOn));
    }
    const figures: Figures = { miles: milesOf(centimiles), logs, activities: activities.size, streakDays };
    for (const id of earnedBadgeIds(of, figures)) if (!found.has(id)) found.set(id, entry.at);
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

/** Takes all runs, oldest first; freezes join runs to a longer streak than any run of days (D11). */
export function longestStreakOf(runs: readonly StreakRun[], hasFreezes: boolean): number {
  let longest = 0;
  let before: { start: StreakStart; endedOn: string } | undefined;
  for (const { startedOn, endedOn } of runs) {
    const start = streakStartOn(
      startedOn,
      before && { endedOn: before.endedOn, standing: standingAt(before.start, before.endedOn) },
    );
    const days = hasFreezes ? standingAt(start, endedOn).days : daysBetween(startedOn, endedOn) + 1;
    longest = Math.max(longest, days);
    before = { start, endedOn };
  }
  return longest;
}
