import type { Analytics } from '@caravan/contracts/http/analytics';
import { useLingui } from '@lingui/react/macro';
import { scaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { formatPercent } from '../../lib/format.ts';
import { Card } from '../../ui/page.tsx';
import styles from './analytics.module.css';
import { Chart } from './chart.tsx';
import { middleOf, shortDate, useTold } from './use-told.ts';

type Week = Analytics['participation'][number];
type Shown = Week & { readonly low: number; readonly high: number; readonly middle: number };

const drawnOf = (week: Week): Shown[] => {
  const { members, moved } = week;
  if (members === null || moved === null) return [];
  const share = (count: number) => count / members;
  return [{ ...week, low: share(moved.atLeast), high: share(moved.atMost), middle: middleOf(moved, members) }];
};

/** Who moved, week by week. */
export function Participation({ weeks }: { weeks: readonly Week[] }) {
  const { t } = useLingui();
  const { people, share } = useTold();
  const reading = ({ weekStartsOn, members, moved }: Week) => {
    const week = shortDate(weekStartsOn);
    const count = people(moved, members);
    const percent = moved && members ? share(moved, members) : null;
    return percent === null ? t`Week of ${week}: ${count}` : t`Week of ${week}: ${count} members moved, ${percent}`;
  };
  const isDrawn = weeks.some((week) => (week.members ?? 0) >= 10);
  return (
    <Card title={t`Who moves`} aside={t`Members, week by week`}>
      {isDrawn ? (
        <Chart label={t`Members who moved, by week`} readings={weeks.map(reading)} table={<Table weeks={weeks} />}>
          {(at) => <Drawing weeks={weeks} at={at} />}
        </Chart>
      ) : (
        <p className={styles.quiet}>
          {t`From ten members on, this shows how many of them moved each week. With fewer, it would tell who.`}
        </p>
      )}
    </Card>
  );
}

/** In per cent of the plot on both axes. */
function Drawing({ weeks, at }: { weeks: readonly Week[]; at: number }) {
  const x = scalePoint<string>(
    weeks.map(({ weekStartsOn }) => weekStartsOn),
    [0, 100],
  ).padding(0.5);
  const y = scaleLinear([0, 1], [100, 0]);
  const place = ({ weekStartsOn }: Week) => x(weekStartsOn) ?? 0;
  const shown = weeks.flatMap(drawnOf);
  const band = area<Shown>(
    place,
    ({ low }) => y(low),
    ({ high }) => y(high),
  )(shown);
  const path = line<Shown>(place, ({ middle }) => y(middle))(shown);
  return (
    <div className={styles.plot} aria-hidden="true">
      {[1, 0.5, 0].map((tick) => (
        <span key={tick} className={styles.tick} style={{ insetBlockStart: `${y(tick)}%` }}>
          {formatPercent(tick)}
        </span>
      ))}
      <div className={styles.field}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className={styles.band} d={band ?? ''} />
          <path className={styles.line} d={path ?? ''} />
        </svg>
        {shown.map((week) => (
          <span
            key={week.weekStartsOn}
            className={styles.point}
            data-range={week.low !== week.high || undefined}
            data-here={weeks[at]?.weekStartsOn === week.weekStartsOn || undefined}
            style={{
              insetInlineStart: `${place(week)}%`,
              insetBlockStart: `${y(week.high)}%`,
              blockSize: `max(var(--dot), ${100 * (week.high - week.low)}%)`,
            }}
          />
        ))}
        {weeks.map((week, nth) => (
          <span
            key={week.weekStartsOn}
            className={styles.slice}
            data-at={nth}
            data-here={nth === at || undefined}
            style={{ insetInlineStart: `${place(week) - x.step() / 2}%`, inlineSize: `${x.step()}%` }}
          />
        ))}
      </div>
      <Axis weeks={weeks} placeOf={place} />
    </div>
  );
}

/** About five dates, so that they stand apart on phones. */
function Axis({ weeks, placeOf }: { weeks: readonly Week[]; placeOf: (week: Week) => number }) {
  const every = Math.max(1, Math.ceil(weeks.length / 4));
  return (
    <div className={styles.axis}>
      {weeks
        .filter((_, nth) => (weeks.length - 1 - nth) % every === 0)
        .map((week) => (
          <span key={week.weekStartsOn} style={{ insetInlineStart: `${placeOf(week)}%` }}>
            {shortDate(week.weekStartsOn)}
          </span>
        ))}
    </div>
  );
}

function Table({ weeks }: { weeks: readonly Week[] }) {
  const { t } = useLingui();
  const { people, share, tooFew } = useTold();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t`Week of`}</th>
          <th scope="col">{t`Moved`}</th>
          <th scope="col">{t`Share`}</th>
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ weekStartsOn, members, moved }) => (
          <tr key={weekStartsOn}>
            <th scope="row">{shortDate(weekStartsOn)}</th>
            <td>{people(moved, members)}</td>
            <td>{moved && members ? share(moved, members) : tooFew}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
