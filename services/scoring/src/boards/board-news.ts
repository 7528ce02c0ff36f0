import type { BoardEntry, WhichBoard } from './board-entry.ts';

/** A credit that boards have not seen yet, with where its member stands since. */
export type Credit = BoardEntry & {
  readonly reachedAt: Date;
  readonly version: number;
  readonly weekStartsOn: string;
  readonly weekCentimiles: number;
  readonly weekReachedAt: Date;
  readonly weekVersion: number;
  /** For which the miles were earned. */
  readonly teamId: string;
  /** In which the member is now; null while this service has not heard of the member. */
  readonly currentTeamId: string | null;
};

type Total = BoardEntry & { readonly reachedAt: Date; readonly version: number };

/** What credits mean for the organisation's boards: of all miles, and of each week that they touch; each member once. */
export function boardsOf(orgId: string, credits: readonly Credit[]): { board: WhichBoard; totals: Total[] }[] {
  const boards = new Map<string | null, Map<string, Total>>();
  const note = (weekStartsOn: string | null, total: Total) => {
    const totals = boards.get(weekStartsOn) ?? new Map<string, Total>();
    boards.set(weekStartsOn, totals.set(total.userId, total));
  };
  for (const { userId, centimiles, reachedAt, version, ...week } of credits) {
    note(null, { userId, centimiles, reachedAt, version });
    const { weekCentimiles, weekReachedAt, weekVersion } = week;
    note(week.weekStartsOn, {
      ...{ userId, centimiles: weekCentimiles },
      ...{ reachedAt: weekReachedAt, version: weekVersion },
    });
  }
  return [...boards].map(([weekStartsOn, totals]) => ({
    board: { orgId, weekStartsOn },
    totals: [...totals.values()],
  }));
}

/** The teams whose members may see a challenge go on: those that earned the miles, and those whose members did. */
export function teamsOf(credits: readonly Credit[]): string[] {
  return [...new Set(credits.flatMap(({ teamId, currentTeamId }) => [teamId, currentTeamId ?? teamId]))];
}
