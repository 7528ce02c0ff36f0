import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../lib/format.ts';
import { Card } from '../../ui/page.tsx';
import { recapEffectQuery } from './api.ts';
import styles from './recaps.module.css';

/** For admins: logins and logs of the week, and of the one that followed; what members had to say (3.18). */
export function Effect({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useQuery(recapEffectQuery(id));
  if (!data) return null;
  const { participationChange: change, feedback } = data;
  const signed = change === null ? '' : `${change > 0 ? '+' : ''}${change}`;
  const rows = [
    [t`Sign-ins`, data.weeklyLoginsBefore, data.weeklyLoginsAfter],
    [t`Logs`, data.newActivitiesBefore, data.newActivitiesAfter],
  ] as const;
  return (
    <Card title={t`What this recap did`} aside={t`For admins`}>
      <table className={styles.effect}>
        <thead>
          <tr>
            <th scope="col">{t`Kind`}</th>
            <th scope="col">{t`Its week`}</th>
            <th scope="col">{t`The week after`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, before, after]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatCount(before)}</td>
              <td>{after === null ? t`not over yet` : formatCount(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {change !== null && (
        <p className={styles.quiet}>
          <Trans>Participation: {signed} percentage points</Trans>
        </p>
      )}
      {feedback.length > 0 && (
        <ul className={styles.words} aria-label={t`Feedback`}>
          {feedback.map((text, nth) => (
            <li key={nth}>
              <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
