import type { Analytics } from '@caravan/contracts/http/analytics';
import { useLingui } from '@lingui/react/macro';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { scaleLinear, scaleQuantize } from 'd3-scale';
import { formatLocalDate } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { Card } from '../../ui/page.tsx';
import styles from './analytics.module.css';
import { Chart } from './chart.tsx';
import { dayName, shortDate, useTold } from './use-told.ts';

type Logs = Analytics['logs'];
type Day = { readonly date: string; readonly logs: number | null };

const daysOf = ({ weeks }: Logs): Day[] =>
  weeks.flatMap(({ weekStartsOn, days }) => days.map((logs, nth) => ({ date: addDays(weekStartsOn, nth), logs })));
const weekdays = Array.from({ length: 7 }, (_, nth) => addDays('2026-01-05', nth));

/** Each day a field, darker the more was logged. */
export function LogsByDay({ logs }: { logs: Logs }) {
  const { t } = useLingui();
  const { logs: told } = useTold();
  const days = daysOf(logs);
  const reading = ({ date, logs: count }: Day) => {
    const day = dayName(date);
    const many = told(count);
    return t`${day}: ${many}`;
  };
  const total = told(logs.total);
  return (
    <Card title={t`When logs are made`} aside={total}>
      {logs.total === 0 ? (
        <p className={styles.quiet}>{t`Weeks in which at least five people log are shown here, day by day.`}</p>
      ) : (
        <>
          <Chart label={t`Logs by day`} readings={days.map(reading)} across={7} table={<DaysTable logs={logs} />}>
            {(at) => <Calendar days={days} at={at} />}
          </Chart>
          {days.some(({ logs: count }) => count === null) && (
            <p className={styles.key}>
              <span className={styles.day} data-few aria-hidden="true" />
              {t`Too few people that day, or a day that would give such a day away`}
            </p>
          )}
        </>
      )}
    </Card>
  );
}

const levels = [1, 2, 3, 4] as const;

function Calendar({ days, at }: { days: readonly Day[]; at: number }) {
  const most = Math.max(1, ...days.map(({ logs }) => logs ?? 0));
  const level = scaleQuantize<number>([0, most], levels);
  const levelOf = (logs: number | null) => (logs === null || logs === 0 ? 0 : level(logs));
  const columns = `auto repeat(${days.length / 7}, minmax(0, 1fr))`;
  return (
    <div className={styles.calendar} style={{ gridTemplateColumns: columns }} aria-hidden="true">
      {weekdays.map((date, nth) => (
        <span key={date} className={styles.weekday} style={{ gridRow: nth + 1 }}>
          {formatLocalDate(date, { weekday: 'narrow' })}
        </span>
      ))}
      {days.map(({ date, logs }, nth) => (
        <span
          key={date}
          className={styles.day}
          data-at={nth}
          data-level={levelOf(logs)}
          data-few={logs === null || undefined}
          data-here={nth === at || undefined}
          style={{ gridRow: (nth % 7) + 1, gridColumn: Math.floor(nth / 7) + 2 }}
        />
      ))}
    </div>
  );
}

function DaysTable({ logs: { weeks } }: { logs: Logs }) {
  const { t } = useLingui();
  const { tooFew } = useTold();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t`Week of`}</th>
          {weekdays.map((date) => (
            <th key={date} scope="col">
              {formatLocalDate(date, { weekday: 'short' })}
            </th>
          ))}
          <th scope="col">{t`Week`}</th>
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ weekStartsOn, days, logs }) => (
          <tr key={weekStartsOn}>
            <th scope="row">{shortDate(weekStartsOn)}</th>
            {days.map((count, nth) => (
              <td key={weekdays[nth]}>{count === null ? '–' : formatCount(count)}</td>
            ))}
            <td>{logs === null ? tooFew : formatCount(logs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is done, as a table whose bars say the same. */
export function LogsByActivity({ logs: { activities, others } }: { logs: Logs }) {
  const { t } = useLingui();
  const rows = [...activities.map(({ activity, logs }) => [activity, logs] as const), [t`Others`, others] as const];
  const width = scaleLinear([0, Math.max(1, ...rows.map(([, logs]) => logs))], [0, 100]);
  return (
    <Card title={t`What people do`} aside={t`Logs`}>
      {rows.every(([, logs]) => logs === 0) ? (
        <p className={styles.quiet}>{t`Activities that at least five people do in a week are shown here.`}</p>
      ) : (
        <>
          <table className={styles.bars}>
            <thead>
              <tr>
                <th scope="col">{t`Activity`}</th>
                <th scope="col">{t`Logs`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, logs]) => (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    <span className={styles.bar} style={{ inlineSize: `${width(logs)}%` }} aria-hidden="true" />
                  </th>
                  <td>{formatCount(logs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={styles.note}>
            {t`Others: names of people’s own, and what fewer than five people did in a week.`}
          </p>
        </>
      )}
    </Card>
  );
}
