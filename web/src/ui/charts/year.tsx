import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { formatLocalDate } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';
import lineStyles from './lines.module.css';
import { type DayLevel, monthColumns, monthTotals, type YearDay, yearGrid } from './year-grid.ts';
import styles from './year.module.css';

type Days = Parameters<typeof yearGrid>[1];

/** So many weeks are side by side on phones, in two halves. */
const halfWeeks = 27;

/** A year in days: a column is a week, the more miles the darker. Two halves on phones; the same as a table of months. */
export function YearMap({ year, days }: { year: number; days: Days }) {
  const { t } = useLingui();
  const grid = yearGrid(year, days);
  const halves = [grid.filter(({ week }) => week < halfWeeks), grid.filter(({ week }) => week >= halfWeeks)];
  return (
    <div className={styles.map}>
      <Grid days={grid} className={styles.whole} />
      {halves.map((half) => (
        <Grid key={half[0]?.on} days={half} className={styles.half} />
      ))}
      <p className={styles.key}>
        <span>{t`Less`}</span>
        {(['none', 1, 2, 3, 4] as const).map((level) => (
          <Swatch key={level} level={level} />
        ))}
        <span>{t`More`}</span>
        <Swatch level="rest" />
        <span>{t`Rest day, streak kept`}</span>
      </p>
      <YearTable year={year} days={days} />
    </div>
  );
}

const cell = 10;
const step = 12.4;
const head = 20;

const Swatch = ({ level }: { level: DayLevel }): ReactNode => (
  <svg viewBox="0 0 12 12" aria-hidden="true">
    <path className={classOf(level)} d="M3 3h6v6h-6z" />
  </svg>
);

const classOf = (level: DayLevel) => styles[typeof level === 'number' ? `level${level}` : level];

function Grid({ days, className }: { days: readonly YearDay[]; className: string | undefined }) {
  const first = days[0]?.week ?? 0;
  const weeks = (days.at(-1)?.week ?? 0) - first + 1;
  const paths = new Map<DayLevel, string>();
  for (const { week, weekday, level } of days) {
    const [x, y] = cornerOf(week - first, weekday);
    paths.set(level, `${paths.get(level) ?? ''}M${x + 2} ${y + 2}h${cell - 4}v${cell - 4}h-${cell - 4}z`);
  }
  const today = days.find(({ isToday }) => isToday);
  const [todayX, todayY] = cornerOf((today?.week ?? 0) - first, today?.weekday ?? 0);
  return (
    <svg
      className={clsx(styles.grid, className)}
      viewBox={`0 0 ${weeks * step} ${7 * step + head}`}
      aria-hidden="true"
      direction="ltr"
    >
      {monthColumns(days).map(({ month, week }) => (
        <text key={month} x={(week - first) * step} y={11}>
          {formatLocalDate(month, { month: 'short' })}
        </text>
      ))}
      {[...paths].map(([level, path]) => (
        <path key={level} className={classOf(level)} d={path} />
      ))}
      {today && <path className={styles.today} d={`M${todayX} ${todayY}h${cell}v${cell}h-${cell}z`} />}
    </svg>
  );
}

const cornerOf = (week: number, weekday: number): [number, number] => [
  Math.round(week * step * 10) / 10 + 0.5,
  Math.round(weekday * step * 10) / 10 + head,
];

function YearTable({ year, days }: { year: number; days: Days }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  return (
    <details className={lineStyles.table}>
      <summary>{t`Show as a table`}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Month`}</th>
            <th scope="col">{t`days moved`}</th>
            <th scope="col">{long}</th>
            <th scope="col">{t`rest days`}</th>
          </tr>
        </thead>
        <tbody>
          {monthTotals(year, days).map(({ month, days: moved, miles, rests }) => (
            <tr key={month}>
              <th scope="row">{formatLocalDate(month, { month: 'long' })}</th>
              <td>{formatCount(moved)}</td>
              <td>{figure(miles)}</td>
              <td>{formatCount(rests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
