import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
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
  const titleId = useId();
  return (
    <Card className={styles.card} labelledBy={titleId}>
      <span className={styles.icon}>{icon}</span>
      <div>
        <h2 id={titleId}>{title}</h2>
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.action}>{children}</div>
      <button type="button" className={styles.close} aria-label={t`Not now`} onClick={onDismiss}>
        <X size={20} aria-hidden="true" />
      </button>
    </Card>
  );
}
