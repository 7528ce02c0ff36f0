import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './confirm.module.css';
import { Dialog } from './dialog.tsx';

/** Asks before what cannot simply be taken back. */
export function Confirm({
  title,
  description,
  action,
  isBusy,
  onConfirm,
  onClose,
}: {
  title: ReactNode;
  description: ReactNode;
  /** What will be done, as a verb. */
  action: ReactNode;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  return (
    <Dialog isOpen title={title} description={description} onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className={styles.acts}>
        <Button variant="danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onClose}>{t`Cancel`}</Button>
      </div>
    </Dialog>
  );
}
