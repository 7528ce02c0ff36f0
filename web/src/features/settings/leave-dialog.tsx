import { useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { currentSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './settings.module.css';

/** Asks before changes are lost; whoever signs out is not asked. */
export function LeaveDialog({ isOn }: { isOn: boolean }) {
  const { t } = useLingui();
  const isAtStake = () => isOn && currentSession().status === 'signed-in';
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isAtStake(),
    enableBeforeUnload: isAtStake,
    withResolver: true,
  });
  return (
    <Dialog
      title={t`Leave without saving?`}
      description={t`What you changed here is not saved yet.`}
      isOpen={status === 'blocked'}
      onOpenChange={(isOpen) => !isOpen && reset?.()}
    >
      <div className={styles.actions}>
        <Button variant="quiet" onClick={() => proceed?.()}>{t`Leave`}</Button>
        <Button onClick={() => reset?.()}>{t`Stay`}</Button>
      </div>
    </Dialog>
  );
}
