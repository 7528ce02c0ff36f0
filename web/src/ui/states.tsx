import { useLingui } from '@lingui/react/macro';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Page } from './page.tsx';
import styles from './states.module.css';
import { FirstSteps } from './trail.tsx';

/** Nothing here yet: a beginning, with the first step of the trail and one action. */
export function EmptyState({ title, hint, action }: { title: ReactNode; hint?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <FirstSteps />
      <p className={styles.title}>{title}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** Something could not be loaded; says so and offers to try again. */
export function ErrorState({
  title,
  hint,
  onRetry,
}: {
  title: ReactNode;
  hint?: ReactNode;
  onRetry?: (() => void) | undefined;
}) {
  const { t } = useLingui();
  return (
    <div className={styles.state} role="alert">
      <CloudOff className={styles.icon} size={32} aria-hidden="true" />
      <p className={styles.title}>{title}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {onRetry && (
        <div className={styles.action}>
          <Button variant="quiet" size="small" onClick={onRetry}>{t`Try again`}</Button>
        </div>
      )}
    </div>
  );
}

/** What a screen shows when it broke. */
export function Broken({ reset }: { reset?: () => void }) {
  const { t } = useLingui();
  return (
    <Page title={t`Something went wrong`} width="text">
      <ErrorState
        title={t`This screen stumbled.`}
        hint={t`Your miles are safe. Loading it again usually helps.`}
        onRetry={reset}
      />
      <p style={{ textAlign: 'center' }}>
        <Button asChild variant="plain">
          <a href="/dashboard">{t`Back to the dashboard`}</a>
        </Button>
      </p>
    </Page>
  );
}
