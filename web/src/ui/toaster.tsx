import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import * as Radix from '@radix-ui/react-toast';
import { dismissToast, toastMilliseconds, useToasts, type ShownToast } from './toast-state.ts';
import styles from './toaster.module.css';

const swipeThresholdPixels = 50;
const hotkey = 'F8';
const hotkeys = [hotkey];

/**
 * A toast lies above a dialog that was open before it, and Escape is for the topmost layer: it is handed on to the dialog,
 * which a person means by it as long as the toast has not the focus.
 */
function leaveToDialog(event: KeyboardEvent): void {
  const dialog = [...document.querySelectorAll('[role="dialog"][data-state="open"]')].at(-1);
  const close = dialog?.querySelector<HTMLElement>('[data-closes]');
  if (!close || document.activeElement?.closest('[role="region"] ol')) return;
  event.preventDefault();
  close.click();
}

/** Shows what `toast()` says. Hover and focus hold it, a swipe to the right or Escape closes it, F8 leads to it. */
export function Toaster() {
  const { t } = useLingui();
  return (
    <Radix.Provider duration={toastMilliseconds} swipeDirection="right" swipeThreshold={swipeThresholdPixels}>
      {useToasts().map((shown) => (
        <OneToast key={shown.id} shown={shown} />
      ))}
      <Radix.Viewport className={styles.viewport} hotkey={hotkeys} label={t`Notices (${hotkey})`} />
    </Radix.Provider>
  );
}

const signs = {
  plain: null,
  good: <CircleCheck size={22} aria-hidden="true" />,
  error: <CircleAlert size={22} aria-hidden="true" />,
};

function OneToast({ shown }: { shown: ShownToast }) {
  const { t } = useLingui();
  const { id, isOpen, title, description, picture, tone = 'plain', durationMilliseconds, action } = shown;
  return (
    <Radix.Root
      className={clsx(styles.toast, styles[tone])}
      open={isOpen}
      onOpenChange={(open) => !open && dismissToast(id)}
      type={tone === 'error' ? 'foreground' : 'background'}
      duration={durationMilliseconds ?? toastMilliseconds}
      onEscapeKeyDown={leaveToDialog}
    >
      {picture === undefined ? signs[tone] : <span className={styles.picture}>{picture}</span>}
      <div className={styles.text}>
        <Radix.Title className={styles.title}>{title}</Radix.Title>
        {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
      </div>
      {action && (
        <Radix.Action className={styles.action} altText={action.label} onClick={action.onPress}>
          {action.label}
        </Radix.Action>
      )}
      <Radix.Close className={styles.close} aria-label={t`Close`}>
        <X size={20} aria-hidden="true" />
      </Radix.Close>
    </Radix.Root>
  );
}
