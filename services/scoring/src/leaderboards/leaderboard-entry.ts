/** Which board of an organisation: that of one week, by its Monday (YYYY-MM-DD), or that of all miles. */
export type WhichBoard = { readonly orgId: string; readonly weekStartsOn: string | null };

/** One line of an organisation's board. */
export type BoardEntry = { readonly userId: string; readonly centimiles: number };

/** A stretch of the board, in its order. */
export type BoardStretch = {
  readonly entries: readonly BoardEntry[];
  /** How many lines stand above the first entry. */
  readonly above: number;
  /** The first entry's rank. */
  readonly firstRank: number;
};

const millisecondDigits = 12;

/**
 * The name of a member on the Redis board. Redis orders equal scores by name, so the instant at which the total was
 * reached leads it: the earlier comes first (D12). Twelve hexadecimal digits of milliseconds last until the year 10889.
 */
export function boardNameOf(userId: string, reachedAt: Date): string {
  return `${reachedAt.getTime().toString(16).padStart(millisecondDigits, '0')}${userId}`;
}

/** The member behind a name that `boardNameOf` made. */
export function userIdOf(boardName: string): string {
  return boardName.slice(millisecondDigits);
}

/** The score that puts more miles first in Redis' ascending order; whole, so exact far beyond any total. */
export function scoreOf(centimiles: number): number {
  return -centimiles;
}

/** Ranks of a stretch: equal totals share one, the next total counts everybody above it: 1, 2, 2, 4 (D12). */
export function ranksOf({ entries, above, firstRank }: BoardStretch): number[] {
  const ranks: number[] = [];
  entries.forEach(({ centimiles }, index) => {
    const isTie = index > 0 && entries[index - 1]?.centimiles === centimiles;
    ranks.push(index === 0 ? firstRank : isTie ? (ranks[index - 1] ?? firstRank) : above + index + 1);
  });
  return ranks;
}

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
