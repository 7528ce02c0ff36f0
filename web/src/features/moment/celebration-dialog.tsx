import clsx from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { Scene } from '../../ui/scene/scene.tsx';
import styles from './moment.module.css';

/** A celebration that nobody touches ends by itself after so long: it never blocks the screen below. */
export const untouchedMilliseconds = 8000;

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/**
 * Covers the whole screen until Skip, Continue, Escape, or until nobody has touched it for a while. Afterwards the
 * heading of the screen below has the focus.
 */
export function CelebrationDialog({
  label,
  isNight,
  onEnd,
  children,
}: {
  label: string;
  isNight: boolean;
  onEnd: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.focus({ preventScroll: true });
    return () => {
      element?.close();
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, []);
  useEndUntouched(onEnd);
  return (
    <dialog
      ref={dialog}
      className={styles.cover}
      aria-label={label}
      aria-modal="true"
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onEnd();
      }}
    >
      <Scene
        seed={isNight ? 9 : 11}
        sun={isNight ? null : { className: styles.sun }}
        stars={isNight ? 'always' : 'by-night'}
        className={clsx(styles.moment, isNight && styles.night)}
      >
        {children}
      </Scene>
    </dialog>
  );
}

function useEndUntouched(onEnd: () => void): void {
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    const timer = setTimeout(() => end.current(), untouchedMilliseconds);
    const stay = () => clearTimeout(timer);
    for (const touch of touches) addEventListener(touch, stay, { once: true });
    return () => {
      stay();
      for (const touch of touches) removeEventListener(touch, stay);
    };
  }, []);
}
