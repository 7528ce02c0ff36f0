import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatLocalDate, useDates } from '../../lib/dates.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { useDistance } from '../../lib/units.ts';
import { Columns } from '../../ui/charts/columns.tsx';
import { YearMap } from '../../ui/charts/year.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { yearDaysQuery, yearLogsQuery } from './api.ts';
import styles from './year-card.module.css';
import { type Year, yearOf } from './year.ts';

/** The running year in figures, and which months carried it (D44). */
export function YearCard() {
  const { t } = useLingui();
  const [year, month] = useDates().dateOf(useNow()).split('-').map(Number);
  const logs = useQuery(yearLogsQuery(year ?? 0));
  return (
    <Card title={<Trans>Your {String(year)}</Trans>} aside={t`from your logs`}>
      <Loading isLoading={logs.isPending} skeleton={<Skeleton height={360} />}>
        {() =>
          logs.data ? (
            <Shown year={yearOf(logs.data)} calendarYear={year ?? 0} month={month ?? 12} />
          ) : (
            <ErrorState title={t`Your year could not be loaded`} onRetry={() => void logs.refetch()} />
          )
        }
      </Loading>
    </Card>
  );
}

function Shown({ year, calendarYear, month }: { year: Year; calendarYear: number; month: number }) {
  const { figure, long } = useDistance();
  const activities = formatCount(year.activities);
  const days = formatCount(year.activeDays);
  return (
    <>
      <dl className={styles.figures}>
        <Figure name={long} value={figure(year.miles)} />
        <Figure name={<Plural value={year.activities} one="activity" other="activities" />} value={activities} />
        <Figure name={<Plural value={year.activeDays} one="day moved" other="days moved" />} value={days} />
        <Figure name={<Trans>in motion</Trans>} value={formatDuration(year.minutes)} />
      </dl>
      <Days calendarYear={calendarYear} />
      <Months milesByMonth={year.milesByMonth} calendarYear={calendarYear} month={month} />
    </>
  );
}

const Figure = ({ name, value }: { name: ReactNode; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** @param month 1 to 12, the running one */
function Months({
  milesByMonth,
  calendarYear,
  month,
}: {
  milesByMonth: readonly number[];
  calendarYear: number;
  month: number;
}) {
  const { t } = useLingui();
  const { figure, brief, long } = useDistance();
  return (
    <>
      <h3 className={styles.sub}>{t`Miles by month`}</h3>
      <Columns
        label={t`By month`}
        columns={milesByMonth.map((miles, index) => {
          const day = `${calendarYear}-${String(index + 1).padStart(2, '0')}-01`;
          const name = formatLocalDate(day, { month: 'long' });
          const walked = figure(miles);
          return {
            id: day,
            value: miles,
            figure: miles > 0 ? brief(Math.round(miles)) : '',
            label: formatLocalDate(day, { month: 'narrow' }),
            sentence: `${name}: ${walked} ${long}`,
            state: stateOf(index + 1, month),
          };
        })}
      />
    </>
  );
}

function stateOf(month: number, running: number): 'current' | 'ahead' | undefined {
  if (month === running) return 'current';
  return month > running ? 'ahead' : undefined;
}

/** Each day of the year; missing while its answer is (D44). */
function Days({ calendarYear }: { calendarYear: number }) {
  const days = useQuery(yearDaysQuery(calendarYear));
  if (days.isPending) return <Skeleton height={170} />;
  if (!days.data || days.data.today === '') return null;
  return <YearMap year={calendarYear} days={days.data} />;
}
