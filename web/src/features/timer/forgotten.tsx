import { useLingui } from '@lingui/react/macro';
import { formatDate, formatDuration } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { elapsedSeconds, trimRun, wholeMinutes, type Run } from './run.ts';
import styles from './timer.module.css';

/** Two hours without a touch: perhaps the timer ran on alone. Nothing is thrown away unasked. */
export function Forgotten({
  run,
  seconds,
  onKeep,
  onTrim,
}: {
  run: Run;
  seconds: number;
  onKeep: () => void;
  onTrim: () => void;
}) {
  const { t } = useLingui();
  const at = formatDate(new Date(run.touchedAt), { weekday: 'long', hour: 'numeric', minute: '2-digit' });
  const cut = formatDuration(wholeMinutes(elapsedSeconds(trimRun(run), run.touchedAt)));
  const whole = formatDuration(Math.floor(seconds / 60));
  return (
    <Dialog
      isOpen
      title={t`Are you still moving?`}
      description={t`Your timer has been running for ${whole}. The last sign of life was on ${at}.`}
      onOpenChange={(isOpen) => isOpen || onKeep()}
    >
      <div className={styles.asked}>
        <Button onClick={onKeep}>{t`Yes, keep ${whole}`}</Button>
        <Button variant="quiet" onClick={onTrim}>{t`No, cut it back to ${cut}`}</Button>
      </div>
    </Dialog>
  );
}
