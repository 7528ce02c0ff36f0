import { partsTold, type Told, toldOfParts } from '@caravan/contracts/domain/movement/disclosure';
import type { Analytics } from '@caravan/contracts/http/analytics';

/** How many were in the team when the week began, and how many of them moved in it. */
export type TeamInWeek = {
  readonly week: string;
  readonly teamId: string;
  readonly members: number;
  readonly moved: number;
};

/** Somebody was in another team when this week began than when the one before it did; null: in none. */
export type TeamChange = { readonly week: string; readonly from: string | null; readonly to: string | null };

export type Team = {
  readonly teamId: string;
  readonly name: string;
  readonly emoji: string;
  /** Today. */
  readonly members: number;
  readonly centimiles: number;
};

type Counted = {
  readonly teams: readonly Team[];
  readonly teamWeeks: readonly TeamInWeek[];
  readonly changes: readonly TeamChange[];
};

/** Teams that are told together in a week, or one of them; null: nothing is told of that week. */
type Cell = {
  readonly week: string;
  readonly teamIds: readonly string[];
  readonly of: number;
  readonly range: Told | null;
};

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/**
 * A week's cells rest on who was in a team when it began and on nothing that an admin can change afterwards, so that two
 * answers never differ by one member (ADR 0054). Everything else is made of these cells.
 */
export function teamsOf({ teams, teamWeeks, changes }: Counted, weeks: readonly string[]): Analytics['teams'] {
  const order = new Map(teams.map(({ teamId }, at) => [teamId, at]));
  const byWeek = Map.groupBy(teamWeeks, ({ week }) => week);
  const cells = weeks.flatMap((week) =>
    cellsOf(
      week,
      (byWeek.get(week) ?? []).toSorted((one, other) => (order.get(one.teamId) ?? 0) - (order.get(other.teamId) ?? 0)),
    ),
  );
  const within = changes.filter(({ week }) => weeks.includes(week) && week !== weeks[0]);
  const isRounded = within.some(({ from, to }) => from === null || to === null);
  return rowsOf(cells, within).flatMap((teamIds) => {
    // Stryker disable next-line MethodExpression: teams of one cell are in one row.
    const own = cells.filter((cell) => cell.teamIds.some((teamId) => teamIds.has(teamId)));
    if (own.every(({ range }) => range === null)) return [];
    const people = sum(own, ({ of }) => of);
    const row = teams.filter(({ teamId }) => teamIds.has(teamId));
    const mean = meanOf(weeks.map((week) => own.filter((cell) => cell.week === week)));
    return [
      {
        names: row.map(({ name, emoji }) => ({ name, emoji })),
        members: latestSizeOf(own),
        participation: isRounded ? roundShare(mean) : mean,
        milesPerMemberAndWeek: Math.round(sum(row, ({ centimiles }) => centimiles) / people) / 100,
      },
    ];
  });
}

function cellsOf(week: string, rows: readonly TeamInWeek[]): Cell[] {
  const groups = partsTold(rows.map(({ members }) => members));
  if (groups.length === 0)
    return rows.map(({ teamId, members }) => ({ week, teamIds: [teamId], of: members, range: null }));
  const parts = groups.map((group) => {
    // Stryker disable next-line ArrayDeclaration: each index is that of a row.
    const own = group.flatMap((at) => rows[at] ?? []);
    const teamIds = own.map(({ teamId }) => teamId);
    return { teamIds, count: sum(own, ({ moved }) => moved), of: sum(own, ({ members }) => members) };
  });
  const ranges = toldOfParts(parts);
  return parts.map(({ teamIds, of }, at) => ({ week, teamIds, of, range: ranges[at] ?? null }));
}

/** Teams are told together that are so in one of the weeks, or between which somebody went; the largest first. */
function rowsOf(cells: readonly Cell[], changes: readonly TeamChange[]): ReadonlySet<string>[] {
  let rows: ReadonlySet<string>[] = [];
  const join = (teamIds: readonly string[]): void => {
    const met = rows.filter((row) => teamIds.some((teamId) => row.has(teamId)));
    const apart = rows.filter((row) => teamIds.every((teamId) => !row.has(teamId)));
    rows = [...apart, new Set([...met.flatMap((row) => [...row]), ...teamIds])];
  };
  for (const { teamIds } of cells) join(teamIds);
  for (const { from, to } of changes) if (from !== null && to !== null) join([from, to]);
  const sizeOf = (row: ReadonlySet<string>) =>
    // Stryker disable next-line MethodExpression: teams of one cell are in one row.
    latestSizeOf(cells.filter(({ teamIds }) => teamIds.some((id) => row.has(id))));
  return rows.toSorted((one, other) => sizeOf(other) - sizeOf(one));
}

function latestSizeOf(cells: readonly Cell[]): number {
  const last = cells.at(-1)?.week;
  return sum(
    cells.filter(({ week }) => week === last),
    ({ of }) => of,
  );
}

/** In per cent of all who were there in the weeks that are told. */
function meanOf(weeks: readonly (readonly Cell[])[]): Told {
  const told = weeks.flatMap((cells) => {
    const ranges = cells.flatMap(({ range }) => range ?? []);
    return ranges.length === cells.length
      ? // Stryker disable next-line ObjectLiteral: there are as many ranges as cells.
        cells.map(({ of }, at) => ({ of, ...(ranges[at] ?? { atLeast: 0, atMost: of }) }))
      : [];
  });
  const people = sum(told, ({ of }) => of);
  const percent = (count: number) => Math.round((100 * count) / people);
  return {
    atLeast: percent(sum(told, ({ atLeast }) => atLeast)),
    atMost: percent(sum(told, ({ atMost }) => atMost)),
  };
}

const stepPercent = 5;

/**
 * Where people joined or left between the weeks, shares are told in steps of five per cent: of all rows, so that none
 * can be reckoned from the others.
 */
function roundShare(share: Told): Told {
  const atLeast = Math.min(100 - stepPercent, Math.floor(share.atLeast / stepPercent) * stepPercent);
  const atMost = Math.max(atLeast + stepPercent, Math.ceil(share.atMost / stepPercent) * stepPercent);
  return { atLeast, atMost };
}
