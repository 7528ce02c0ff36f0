import type { Badge, Metric } from './catalogue.ts';
import type { Figures } from './badges.ts';

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
