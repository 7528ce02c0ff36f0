import type { AuditEntry } from '@caravan/contracts/http/audit';
import { useLingui } from '@lingui/react/macro';
import { formatDate } from '../../lib/format.ts';
import { PersonName } from '../../ui/person-name.tsx';
import styles from './audit.module.css';
import { useActWords } from './use-words.ts';

/** Who did what, when and from where. */
export function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useLingui();
  const words = useActWords()(entry);
  const { at, actor, device } = entry;
  return (
    <li className={styles.row}>
      <time className={styles.time} dateTime={at}>
        {formatDate(new Date(at), { timeStyle: 'short' })}
      </time>
      <p className={styles.what}>
        <PersonName className={styles.who} profileId={actor?.profileId} name={actor?.name ?? t`The operator`} /> {words}
      </p>
      {device !== null && <p className={styles.device}>{device}</p>}
    </li>
  );
}
