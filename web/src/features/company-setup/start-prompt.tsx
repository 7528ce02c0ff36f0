import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { storageKeys } from '../../lib/storage-keys.ts';
import { createStorageStore } from '../../lib/store.ts';
import { Button } from '../../ui/button.tsx';
import { PromptCard } from '../../ui/prompt-card.tsx';
import { companyQuery } from './api.ts';
import styles from './company-setup.module.css';

const store = createStorageStore();
const isDismissed = () => localStorage.getItem(storageKeys.dismissedStart) !== null;

/** On an admin's dashboard until the organisation is set up: how it gets its look and its people. */
export function StartPrompt() {
  const { t } = useLingui();
  const { data: company } = useQuery(companyQuery);
  const wasDismissed = store.use(isDismissed);
  if (!company || company.setUpAt !== null || wasDismissed) return null;
  const dismiss = () => {
    localStorage.setItem(storageKeys.dismissedStart, 'yes');
    store.tell();
  };
  return (
    <PromptCard
      icon={<Building2 size={22} aria-hidden="true" />}
      title={t`Get your organization going`}
      text={t`Give it its name and colors, then invite the people who will travel with you.`}
      onDismiss={dismiss}
    >
      <div className={styles.start}>
        <Button asChild size="small">
          <Link to="/company-setup">{t`Company Setup`}</Link>
        </Button>
        <Button asChild variant="quiet" size="small">
          <Link to="/admin/invites">{t`Invite people`}</Link>
        </Button>
      </div>
    </PromptCard>
  );
}
