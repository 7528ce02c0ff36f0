import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './page.tsx';
import styles from './prompt-card.module.css';

/** Something on the dashboard that waits for its reader, until they follow it or put it away. */
export function PromptCard({
  icon,
  title,
  text,
  onDismiss,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: ReactNode;
  onDismiss: () => void;
  /** Where it leads. */
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <Card
      className={styles.card}
      title={
        <span className={styles.title}>
          {icon}
          {title}
        </span>
      }
      aside={
        <button type="button" className={styles.close} aria-label={t`Not now`} onClick={onDismiss}>
          <X size={20} aria-hidden="true" />
        </button>
      }
    >
      <p className={styles.text}>{text}</p>
      {children}
    </Card>
  );
}
