// Statistical disclosure control (ADR 0054): what may be told of how many people did something.

/** No figure is about fewer people than this. */
export const fewestPeople = 5;

/** A count as it may be told: exact where both ends are equal. */
export type Told = { readonly atLeast: number; readonly atMost: number };

/** Nobody, or enough people. */
export const isTellable = (people: number): boolean => people === 0 || people >= fewestPeople;
export const isExact = ({ atLeast, atMost }: Told): boolean => atLeast === atMost;

const isFitFor = (count: number, of: number): boolean => isTellable(count) && isTellable(of - count);

/**
 * How many of `of` people did something: exact only where neither those who did nor the others are a few. A range says
 * nothing more than that it is one, so that its ends lead to no count. Null of fewer than five people.
 */
export function toldOf(count: number, of: number): Told | null {
  if (of < fewestPeople) return null;
  if (isFitFor(count, of)) return { atLeast: count, atMost: count };
  if (of < 2 * fewestPeople) return { atLeast: 1, atMost: of - 1 };
  // Stryker disable next-line EqualityOperator: five of ten or more are told exactly.
  return count < fewestPeople
    ? { atLeast: 1, atMost: fewestPeople - 1 }
    : { atLeast: of - fewestPeople + 1, atMost: of - 1 };
}

type Part = { readonly count: number; readonly of: number };

/** From here on a count can be told that is neither nobody nor everybody. */
export const fewestInPart = 2 * fewestPeople;

/**
 * Parts of a whole that are told apart, by their sizes alone: those of fewer than ten people are told together, where
 * need be with the smallest of the others, and not at all where the whole is fewer. Indexes, the largest part first.
 */
export function partsTold(sizes: readonly number[]): number[][] {
  const bySize = sizes.map((of, at) => ({ of, at })).sort((one, other) => other.of - one.of);
  const together: typeof bySize = [];
  const people = () => together.reduce((sum, { of }) => sum + of, 0);
  while ((bySize.at(-1)?.of ?? fewestInPart) < fewestInPart || people() < fewestInPart) {
    const next = bySize.pop();
    if (!next) return [];
    together.push(next);
  }
  return [...bySize.map(({ at }) => [at]), together.map(({ at }) => at)];
}

/**
 * Parts of a whole that is told, too, such as teams of an organisation. Where a part that is told as a range could be
 * reckoned from the whole and the others, the smallest of these are told as nothing but their size as well. Nothing is
 * told where a part has fewer than ten people.
 */
export function toldOfParts(parts: readonly Part[]): (Told | null)[] {
  if (parts.some(({ of }) => of < fewestInPart)) return parts.map(() => null);
  // Stryker disable next-line ObjectLiteral: ten people or more are always told of.
  const told = parts.map(({ count, of }) => toldOf(count, of) ?? { atLeast: 0, atMost: of });
  const whole = sumOf(parts);
  if (isSafe(parts, told, whole)) return told;
  // Nothing tells any more which were ranges by themselves.
  // Stryker disable next-line OptionalChaining: each has its part.
  const closed = told.map((range, at) => (isExact(range) ? range : { atLeast: 0, atMost: parts[at]?.of ?? 0 }));
  const bySize = parts.map(({ of }, at) => ({ at, of })).sort((one, other) => one.of - other.of);
  for (const { at, of } of bySize) {
    const range = closed[at];
    if (!range || !isExact(range)) continue;
    closed[at] = { atLeast: 0, atMost: of };
    if (isSafe(parts, closed, whole)) break;
  }
  return closed;
}

const sumOf = (parts: readonly Part[]): Part =>
  parts.reduce((sum, { count, of }) => ({ count: sum.count + count, of: sum.of + of }), { count: 0, of: 0 });

/** What whoever subtracts finds of the parts that are not told exactly is about enough people, and about none of them. */
function isSafe(parts: readonly Part[], told: readonly Told[], whole: Part): boolean {
  const ranges = told.filter((range) => !isExact(range));
  if (ranges.length === 0) return true;
  // Stryker disable next-line ObjectLiteral: each part has its range.
  const closed = sumOf(parts.filter((_, at) => ranges.includes(told[at] ?? { atLeast: 0, atMost: 0 })));
  // Stryker disable next-line ObjectLiteral: ten people or more are always told of.
  const sum = toldOf(whole.count, whole.of) ?? { atLeast: 0, atMost: whole.of };
  if (isExact(sum) && Math.min(closed.count, closed.of - closed.count) < fewestPeople) return false;
  const open = whole.count - closed.count;
  return areUnknown(ranges, { atLeast: sum.atLeast - open, atMost: sum.atMost - open });
}

/** None that adds up with the others to `sum` is left with a single count. */
function areUnknown(ranges: readonly Told[], sum: Told): boolean {
  const low = ranges.reduce((total, { atLeast }) => total + atLeast, 0);
  const high = ranges.reduce((total, { atMost }) => total + atMost, 0);
  // Stryker disable next-line MethodExpression: all of them are ranges, so if one is left with a single count, all are.
  return ranges.every(({ atLeast, atMost }) => {
    const least = Math.max(atLeast, sum.atLeast - (high - atMost));
    const most = Math.min(atMost, sum.atMost - (low - atLeast));
    return most > least;
  });
}

/**
 * Parts of a sum that is told and that are not to be: those of one to four people, and one more, the smallest of the
 * rest, so that what is missing in the sum is always about five people or more.
 */
export function partsToHide<Part extends { readonly people: number }>(parts: readonly Part[]): Set<Part> {
  const small = parts.filter(({ people }) => !isTellable(people));
  const [next] = parts.filter(({ people }) => people >= fewestPeople).sort((one, other) => one.people - other.people);
  return new Set(small.length > 0 && next ? [...small, next] : small);
}

/** Those of a group, or the others, who did something again, or did not: how often, and how many people that were. */
export type ComparedCell = {
  readonly isInGroup: boolean;
  readonly isAgain: boolean;
  readonly times: number;
  readonly people: number;
};
/** A share in per cent; `times` is rounded to tens. */
type ComparedShare = Told & { readonly times: number };
type Comparison = { readonly group: ComparedShare | null; readonly others: ComparedShare | null };

const stepPercent = 5;
const mostlyPercent = 80;

/**
 * How a group did beside the others, as shares to the nearest five per cent: told again a week later they do not lead to
 * the few who came in between. Where a few did otherwise than the rest it is 'more than 80', or 'less than 20'.
 */
export function comparisonOf(cells: readonly ComparedCell[]): Comparison {
  const shareOf = (isInGroup: boolean) => {
    const of = (isAgain: boolean, figure: 'times' | 'people') =>
      cells
        .filter((cell) => cell.isInGroup === isInGroup && cell.isAgain === isAgain)
        .reduce((total, cell) => total + cell[figure], 0);
    const times = of(true, 'times') + of(false, 'times');
    const people = { again: of(true, 'people'), not: of(false, 'people') };
    if (Math.max(people.again, people.not) < fewestPeople) return null;
    const range = rangeOfShare((100 * of(true, 'times')) / times, people);
    return range && { ...range, times: Math.max(10, Math.round(times / 10) * 10) };
  };
  return { group: shareOf(true), others: shareOf(false) };
}

function rangeOfShare(percent: number, people: { readonly again: number; readonly not: number }): Told | null {
  const rounded = Math.round(percent / stepPercent) * stepPercent;
  if (isTellable(people.again) && isTellable(people.not)) return { atLeast: rounded, atMost: rounded };
  if (isTellable(people.again)) return percent > mostlyPercent ? { atLeast: mostlyPercent, atMost: 100 } : null;
  return percent < 100 - mostlyPercent ? { atLeast: 0, atMost: 100 - mostlyPercent } : null;
}
