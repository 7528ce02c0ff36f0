import type { Analytics } from '@caravan/contracts/http/analytics';
import { useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { scaleQuantize } from 'd3-scale';
import { formatCount } from '../../lib/format.ts';
import { Card } from '../../ui/page.tsx';
import styles from './analytics.module.css';
import { Scrolling } from './chart.tsx';
import { middleOf, shortDate, useTold } from './use-told.ts';

type Cohort = Analytics['retention'][number];
const level = scaleQuantize<number>([0, 1], [0, 1, 2, 3, 4]);

/** Of those who began together, how many moved in each week after. */
export function Retention({ cohorts }: { cohorts: readonly Cohort[] }) {
  const { t } = useLingui();
  const weeks = Math.max(0, ...cohorts.map(({ moved }) => moved.length));
  return (
    <Card title={t`Who stays`} aside={t`By the week they began`}>
      {weeks === 0 ? (
        <p className={styles.quiet}>
          {t`Newcomers of the last year are shown here, once ten of them have begun and a week has passed.`}
        </p>
      ) : (
        <>
          <Scrolling label={t`Who stays, by the week they began`}>
            <table className={styles.cohorts}>
              <thead>
                <tr>
                  <th scope="col">{t`Began`}</th>
                  {Array.from({ length: weeks }, (_, nth) => {
                    const week = formatCount(nth + 1);
                    return <th key={week} scope="col">{t`Week ${week}`}</th>;
                  })}
                </tr>
              </thead>
              <tbody>
                {cohorts.map((cohort) => (
                  <CohortRow key={cohort.firstWeek} cohort={cohort} weeks={weeks} />
                ))}
              </tbody>
            </table>
          </Scrolling>
          <p className={styles.note}>
            {t`Weeks are taken together until ten people have begun. A range stands where a share would be about a few of them.`}
          </p>
        </>
      )}
    </Card>
  );
}

function CohortRow({ cohort: { firstWeek, lastWeek, people, moved }, weeks }: { cohort: Cohort; weeks: number }) {
  const { t } = useLingui();
  const { share } = useTold();
  const from = shortDate(firstWeek);
  const to = shortDate(lastWeek);
  return (
    <tr>
      <th scope="row">
        {firstWeek === lastWeek ? from : t`${from} to ${to}`}
        <span>{plural(people, { one: '# person', other: '# people' })}</span>
      </th>
      {Array.from({ length: weeks }, (_, nth) => {
        const told = moved[nth];
        return told ? (
          <td key={nth} data-level={level(middleOf(told, people))}>
            {share(told, people)}
          </td>
        ) : (
          <td key={nth} />
        );
      })}
    </tr>
  );
}
