import { useLingui } from '@lingui/react/macro';
import { Card, Page } from '../../ui/page.tsx';
import { Notices, NoticesHead } from './notice-list.tsx';
import styles from './notifications.module.css';

/** All that one was told in the last three months. */
export function Notifications() {
  const { t } = useLingui();
  return (
    <Page title={t`Notifications`} width="text">
      <Card>
        <div className={styles.above}>
          <NoticesHead />
        </div>
        <Notices />
      </Card>
    </Page>
  );
}
