import { addDays } from '@caravan/contracts/domain/time/local-days';
import { fewestInPart, type Told, toldOf } from '@caravan/contracts/domain/movement/disclosure';

/** For how many weeks it is looked whether people stayed. */
const weeksOfRetention = 12;
/** Nobody is looked after who began before. */
export const yearBefore = (monday: string): string => addDays(monday, -52 * 7);
/** The latest that are told of. */
const mostCohorts = 12;

/** Who began in a week, and how many of them moved in each week after it, by its Monday; none where it is absent. */
export type Beginners = {
  readonly week: string;
  readonly people: number;
  readonly moved: Readonly<Record<string, number>>;
};
type Cohort = {
  readonly firstWeek: string;
  readonly lastWeek: string;
  readonly people: number;
  readonly moved: (Told | null)[];
};

/**
 * Weeks are taken together, from the organisation's first one, until ten people have begun: what was told of a cohort
 * stays, whoever begins later and whichever period is looked at. Those of the latest weeks wait until they are ten.
 * @param monday of the week that runs
 */
export function cohortsOf(all: readonly Beginners[], monday: string): Cohort[] {
  // Stryker disable next-line ArrayDeclaration: what has no week began in none of the year.
  const cohorts: Beginners[][] = [];
  let open: Beginners[] = [];
  for (const beginners of all.toSorted((one, other) => one.week.localeCompare(other.week))) {
    if (beginners.week >= monday) break;
    open.push(beginners);
    if (peopleIn(open) < fewestInPart) continue;
    cohorts.push(open);
    open = [];
  }
  return cohorts
    .filter(([first]) => first && first.week >= yearBefore(monday))
    .slice(-mostCohorts)
    .map((cohort) => toldCohort(cohort, monday));
}

const peopleIn = (cohort: readonly Beginners[]): number => cohort.reduce((sum, { people }) => sum + people, 0);

function toldCohort(cohort: readonly Beginners[], monday: string): Cohort {
  // Stryker disable next-line OptionalChaining: a cohort has a first and a last week.
  const firstWeek = cohort[0]?.week ?? monday;
  const lastWeek = cohort.at(-1)?.week ?? monday;
  const people = peopleIn(cohort);
  const moved: (Told | null)[] = [];
  for (let nth = 1; nth <= weeksOfRetention && addDays(lastWeek, 7 * nth) < monday; nth += 1)
    moved.push(
      toldOf(
        cohort.reduce((sum, { week, moved: after }) => sum + (after[addDays(week, 7 * nth)] ?? 0), 0),
        people,
      ),
    );
  return { firstWeek, lastWeek, people, moved };
}
