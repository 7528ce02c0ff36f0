import { addDays, weekStartOf } from '@caravan/contracts/domain/time/local-days';

/** 1 to 4: moved, the more the darker; rest: a freeze kept the streak; none: nothing; ahead: to come. */
export type DayLevel = 1 | 2 | 3 | 4 | 'rest' | 'none' | 'ahead';

export type YearDay = {
  /** YYYY-MM-DD */
  readonly on: string;
  /** The column: 0 is the week of the first of January. */
  readonly week: number;
  /** The row: 0 is Monday. */
  readonly weekday: number;
  readonly level: DayLevel;
  readonly isToday: boolean;
};

type Days = {
  readonly today: string;
  readonly days: readonly { readonly on: string; readonly miles: number; readonly movements: number }[];
  readonly restDays: readonly string[];
};

/** From so many miles on a day is darker: a quarter, half and three quarters of an hour. */
const darkerFrom = [1.5, 3, 4.5] as const;

function levelOf(miles: number): DayLevel {
  const [second, third, fourth] = darkerFrom;
  if (miles >= fourth) return 4;
  if (miles >= third) return 3;
  return miles >= second ? 2 : 1;
}

function levelOfRest(on: string, today: string, rested: ReadonlySet<string>): DayLevel {
  if (on > today) return 'ahead';
  return rested.has(on) ? 'rest' : 'none';
}

/** Every day of a calendar year, in columns of weeks that begin on Monday (D10). */
export function yearGrid(year: number, { today, days, restDays }: Days): YearDay[] {
  const moved = new Map(days.filter(({ miles, movements }) => miles > 0 || movements > 0).map((day) => [day.on, day]));
  const rested = new Set(restDays);
  const first = `${year}-01-01`;
  const grid: YearDay[] = [];
  let monday = weekStartOf(first);
  for (let week = 0; monday.slice(0, 4) <= String(year); week += 1, monday = addDays(monday, 7))
    for (let weekday = 0; weekday < 7; weekday += 1) {
      const on = addDays(monday, weekday);
      if (!on.startsWith(`${year}-`)) continue;
      const day = moved.get(on);
      const level = day ? levelOf(day.miles) : levelOfRest(on, today, rested);
      grid.push({ on, week, weekday, level, isToday: on === today });
    }
  return grid;
}

/** The columns in which months begin; a month that begins late in a week is named above the next one. */
export function monthColumns(grid: readonly YearDay[]): { month: string; week: number }[] {
  return grid
    .filter(({ on }) => on.endsWith('-01'))
    .map(({ on, week, weekday }) => ({ month: on, week: weekday > 3 ? week + 1 : week }));
}

/** One row a month, for the table. */
export function monthTotals(
  year: number,
  { days, restDays }: Omit<Days, 'today'>,
): { month: string; days: number; miles: number; rests: number }[] {
  return Array.from({ length: 12 }, (_, nth) => {
    const prefix = `${year}-${String(nth + 1).padStart(2, '0')}-`;
    const own = days.filter(({ on, miles, movements }) => on.startsWith(prefix) && (miles > 0 || movements > 0));
    const miles = own.reduce((sum, day) => sum + Math.round(day.miles * 100), 0) / 100;
    return {
      month: `${prefix}01`,
      days: own.length,
      miles,
      rests: restDays.filter((on) => on.startsWith(prefix)).length,
    };
  });
}
