import { Trans } from '@lingui/react/macro';
import { formatLocalDate } from '../../lib/format.ts';
import styles from './people.module.css';

/** When somebody joined. @param joinedOn YYYY-MM-DD */
export function Since({ joinedOn }: { joinedOn: string }) {
  const since = formatLocalDate(joinedOn, { month: 'long', year: 'numeric' });
  return (
    <span className={styles.since}>
      <Trans>on the way since {since}</Trans>
    </span>
  );
}
