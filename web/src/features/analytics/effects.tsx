import type { Analytics, RecapsEffect, ToldShare } from '@caravan/contracts/http/analytics';
import { useLingui } from '@lingui/react/macro';
import { formatCount } from '../../lib/format.ts';
import { Card } from '../../ui/page.tsx';
import styles from './analytics.module.css';
import { useTold } from './use-told.ts';

type Row = { readonly name: string; readonly told: ToldShare };

/** Whether those who read recaps or complete challenges move on more often than the others. */
export function Effects({ challenges, recaps }: { challenges: Analytics['challenges']; recaps: RecapsEffect | null }) {
  const { t } = useLingui();
  const name = t`Who moved again the next week`;
  return (
    <Card title={t`What keeps people moving`} aside={t`Last half year`}>
      <Compared
        title={t`Challenges`}
        label={name}
        rows={[
          { name: t`Completed one`, told: challenges.completed },
          { name: t`Completed none`, told: challenges.others },
        ]}
      />
      {recaps && (
        <Compared
          title={t`Recaps`}
          label={name}
          rows={[
            { name: t`Read it`, told: recaps.read },
            { name: t`Did not read it`, told: recaps.others },
          ]}
        />
      )}
      <p className={styles.note}>
        {t`Of those who moved in a week, how many moved in the next one, to the nearest five percent. Keen people do both: a hint, not a proof.`}
      </p>
    </Card>
  );
}

function Compared({ title, label, rows }: { title: string; label: string; rows: readonly Row[] }) {
  const { t } = useLingui();
  const { share } = useTold();
  return (
    <table className={styles.bars}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Group`}</th>
          <th scope="col">{label}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, told }) => {
          const times = told && formatCount(told.times);
          return (
            <tr key={name}>
              <th scope="row">
                {name}
                {told && <span className={styles.aside}>{t`about ${times} times`}</span>}
                {told && <span className={styles.bar} style={{ inlineSize: `${told.atLeast}%` }} aria-hidden="true" />}
              </th>
              <td data-few={told === null || undefined}>{share(told, 100)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
