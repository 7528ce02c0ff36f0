import { useLingui } from '@lingui/react/macro';
import { Button } from '../../ui/button.tsx';
import styles from './save-bar.module.css';

/** Save Changes; in reach wherever one is in the form as long as something is not saved. */
export function SaveBar({ isDirty, isBusy, onUndo }: { isDirty: boolean; isBusy: boolean; onUndo: () => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.bar} data-dirty={isDirty}>
      {isDirty && !isBusy && (
        <Button variant="quiet" onClick={onUndo}>
          {t`Undo`}
        </Button>
      )}
      <Button type="submit" disabled={!isDirty} isBusy={isBusy}>{t`Save Changes`}</Button>
    </div>
  );
}
