import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { Timer, X, Zap } from 'lucide-react';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import styles from './timer-button.module.css';

/**
 * The floating button: a tap starts the timer; holding it for half a second, the context-menu key or a right click
 * opens a small menu, a second tap closes it.
 */
export function TimerButton() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const quick = useRef<HTMLAnchorElement>(null);
  const toggle = () => setIsOpen((wasOpen) => !wasOpen);
  const hold = useHold({
    onHold: toggle,
    onTap: () => {
      if (isOpen) setIsOpen(false);
      else void navigate({ to: '/timer' });
    },
  });

  useEffect(() => {
    if (!isOpen) return undefined;
    quick.current?.focus({ preventScroll: true });
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setIsOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    return () => removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = () => {
    setIsOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  return (
    <nav className={styles.place} aria-label={t`Timer`}>
      <div className={styles.box} ref={box} onKeyDown={({ key }) => key === 'Escape' && close()} role="presentation">
        {isOpen && (
          <Link
            ref={quick}
            to="/timer"
            search={{ preset: 'quick' }}
            className={styles.quick}
            onClick={() => setIsOpen(false)}
          >
            <Zap size={20} aria-hidden="true" />
            {t`Quick start`}
          </Link>
        )}
        <button
          type="button"
          className={styles.button}
          aria-label={t`Start the timer`}
          aria-expanded={isOpen}
          {...hold}
        >
          {isOpen ? <X size={26} aria-hidden="true" /> : <Timer size={28} aria-hidden="true" />}
        </button>
      </div>
    </nav>
  );
}

/** So long is a hold (2.30). */
export const holdMilliseconds = 500;

/** Tells a tap from a hold. The context menu (its key, a right click, a phone's long press) counts as a hold. */
function useHold({ onTap, onHold }: { onTap: () => void; onHold: () => void }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wasHeld = useRef(false);
  const release = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onPointerDown: (event: PointerEvent) => {
      wasHeld.current = false;
      if (event.button !== 0) return;
      release();
      timer.current = setTimeout(() => {
        wasHeld.current = true;
        onHold();
      }, holdMilliseconds);
    },
    onPointerUp: release,
    onPointerLeave: release,
    onPointerCancel: release,
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      release();
      if (wasHeld.current) return;
      wasHeld.current = event.button === 0 && event.detail !== 0;
      onHold();
    },
    onClick: () => {
      if (wasHeld.current) wasHeld.current = false;
      else onTap();
    },
  };
}
