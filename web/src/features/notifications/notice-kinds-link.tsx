import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './notifications.module.css';

/** On the settings screen: the way to the kinds. */
export function NoticeKindsLink() {
  const { t } = useLingui();
  return (
    <Card title={t`What you are told`}>
      <p className={styles.lead}>{t`Cheers, streaks, votes, recaps: choose kind by kind.`}</p>
      <Button asChild variant="quiet" size="small" className={styles.toKinds}>
        <Link to="/settings/notifications">
          <BellRing size={18} aria-hidden="true" />
          {t`Choose what you are told`}
        </Link>
      </Button>
    </Card>
  );
}
