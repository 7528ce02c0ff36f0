/** By the week's Monday (YYYY-MM-DD); null: of all miles. */
export type WhichBoard = { readonly orgId: string; readonly weekStartsOn: string | null };

export type BoardEntry = { readonly userId: string; readonly centimiles: number };

export type BoardStretch = {
  readonly entries: readonly BoardEntry[];
  readonly above: number;
  readonly firstRank: number;
};

const millisecondDigits = 12;

/** Redis orders equal scores by name: the instant leads it, so the earlier is first (D12), until the year 10889. */
export function boardNameOf(userId: string, reachedAt: Date): string {
  return `${reachedAt.getTime().toString(16).padStart(millisecondDigits, '0')}${userId}`;
}

export function userIdOf(boardName: string): string {
  return boardName.slice(millisecondDigits);
}

/** More miles come first in Redis' ascending order; whole, so exact. */
export function scoreOf(centimiles: number): number {
  return -centimiles;
}

/** Equal totals share one, the next counts everybody above it: 1, 2, 2, 4 (D12). */
export function ranksOf({ entries, above, firstRank }: BoardStretch): number[] {
  const ranks: number[] = [];
  entries.forEach(({ centimiles }, index) => {
    const rankAbove = ranks[index - 1] ?? firstRank;
    const isTie = index === 0 || entries[index - 1]?.centimiles === centimiles;
    ranks.push(isTie ? rankAbove : above + index + 1);
  });
  return ranks;
}

export type Credit = BoardEntry & {
  readonly reachedAt: Date;
  readonly version: number;
  readonly weekStartsOn: string;
  readonly weekCentimiles: number;
  readonly weekReachedAt: Date;
  readonly weekVersion: number;
  readonly teamId: string;
  readonly currentTeamId: string | null;
};

type Total = BoardEntry & { readonly reachedAt: Date; readonly version: number };

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
      userId,
      centimiles: weekCentimiles,
      reachedAt: weekReachedAt,
      version: weekVersion,
    });
  }
  return [...boards].map(([weekStartsOn, totals]) => ({
    board: { orgId, weekStartsOn },
    totals: [...totals.values()],
  }));
}

export function teamsOf(credits: readonly Credit[]): string[] {
  return [...new Set(credits.flatMap(({ teamId, currentTeamId }) => [teamId, currentTeamId ?? teamId]))];
}
