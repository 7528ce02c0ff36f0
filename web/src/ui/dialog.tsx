import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/** A sheet from below on phones, a window on wide screens. Traps and returns the focus; Escape closes. */
export function Dialog({
  title,
  description,
  trigger,
  isOpen,
  onOpenChange,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  trigger?: ReactNode;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <Radix.Root {...(isOpen === undefined ? {} : { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content className={styles.window} {...(!description && { 'aria-describedby': undefined })}>
          <Radix.Title className={styles.title}>{title}</Radix.Title>
          {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
          <div className={styles.body}>{children}</div>
          <Radix.Close className={styles.close} aria-label={t`Close`}>
            <X size={22} aria-hidden="true" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
