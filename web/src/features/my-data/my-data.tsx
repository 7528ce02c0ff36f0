import { useLingui } from '@lingui/react/macro';
import { Card } from '../../ui/card.tsx';
import { EraseAccount } from './erase-account.tsx';
import { Export } from './export.tsx';
import styles from './my-data.module.css';

/** All one's data, to take along or to leave behind for good. */
export function MyData() {
  const { t } = useLingui();
  return (
    <Card title={t`Your data`}>
      <section className={styles.part}>
        <h3>{t`Export`}</h3>
        <p>{t`Everything Caravan keeps about you in one zip file: JSON for programs, CSV for spreadsheets.`}</p>
        <Export />
      </section>
      <section className={styles.part}>
        <h3>{t`Erase account`}</h3>
        <p>{t`Leave for good. Your account and everything personal goes; nobody can bring it back.`}</p>
        <EraseAccount />
      </section>
    </Card>
  );
}
