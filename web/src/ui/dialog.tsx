import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { X } from 'lucide-react';
import * as Radix from '@radix-ui/react-dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

const keep = (event: Event) => event.preventDefault();

/** What may take the focus where a button is gone, the nearest first. */
function placesAround(button: Element | null): Element[] {
  const places: Element[] = [];
  for (let place = button?.closest('[tabindex="-1"]'); place; place = place.parentElement?.closest('[tabindex="-1"]'))
    places.push(place);
  return places;
}

/** A sheet from below on phones, a window on wide screens. Traps and returns the focus; Escape closes. */
export function Dialog({
  title,
  description,
  trigger,
  isOpen,
  onOpenChange,
  isLarge = false,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  trigger?: ReactNode;
  /** For work of its own: wider, and a press beside it does not close it. */
  isLarge?: boolean;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const opener = useRef<{ button: Element | null; around: readonly Element[] }>({ button: null, around: [] });
  const noteOpener = () => {
    const button = document.activeElement;
    opener.current = { button, around: placesAround(button) };
  };
  // Radix gives the focus back to its trigger only; what was opened by a state has none, and some go by what was done.
  const returnFocus = (event: Event) => {
    const { button, around } = opener.current;
    const isThere = button?.isConnected === true;
    const next = isThere ? button : around.find(({ isConnected }) => isConnected);
    if ((trigger && isThere) || !(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <Radix.Root {...(isOpen === undefined ? {} : { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={clsx(styles.window, isLarge && styles.large)}
          {...(isLarge && { onInteractOutside: keep })}
          onOpenAutoFocus={noteOpener}
          onCloseAutoFocus={returnFocus}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <Radix.Title className={styles.title}>{title}</Radix.Title>
          {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
          <div className={styles.body}>{children}</div>
          <Radix.Close data-closes="" className={styles.close} aria-label={t`Close`}>
            <X size={22} aria-hidden="true" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

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
