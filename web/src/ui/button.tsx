import clsx from 'clsx';
import { LoaderCircle } from 'lucide-react';
import * as Slot from '@radix-ui/react-slot';
import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import styles from './button.module.css';

type ButtonProps = ComponentProps<'button'> & {
  /** primary: the one next action of a screen. white, glass: on a scene; light: in a celebration. */
  variant?: 'primary' | 'soft' | 'quiet' | 'plain' | 'danger' | 'white' | 'glass' | 'light';
  size?: 'normal' | 'small';
  isWide?: boolean;
  /** Shows that the action is under way; the button cannot be pressed meanwhile. */
  isBusy?: boolean;
  /** Gives the look to the child, for links. */
  asChild?: boolean;
};

export function Button({ variant = 'primary', size = 'normal', isWide, isBusy, asChild, ...rest }: ButtonProps) {
  useKeptFocus(isBusy === true);
  const className = clsx(styles.button, styles[variant], styles[size], isWide && styles.wide, rest.className);
  if (asChild) return <Slot.Root {...rest} className={className} />;
  const { children, disabled, type = 'button', ...others } = rest;
  return (
    <button {...others} type={type} className={className} disabled={disabled || isBusy} aria-busy={isBusy}>
      {isBusy && <LoaderCircle className={styles.spinner} size={20} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A browser takes the focus from a button that cannot be pressed: once it can be, it has it again. */
function useKeptFocus(isBusy: boolean) {
  const pressed = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (isBusy)
      pressed.current = focused instanceof HTMLElement && focused.matches('[aria-busy=true]') ? focused : null;
    else if (focused === document.body) pressed.current?.focus({ preventScroll: true });
  }, [isBusy]);
}

/** A small choice that is on or off; `isPressed` says which. */
export function Chip({ isPressed, className, ...rest }: ComponentProps<'button'> & { isPressed?: boolean }) {
  return <button type="button" {...rest} aria-pressed={isPressed} className={clsx(styles.chip, className)} />;
}

/** A word on a quiet ground: a source, a state, a number gained. */
export function Tag({
  tone = 'plain',
  ...rest
}: ComponentProps<'span'> & { tone?: 'plain' | 'brand' | 'good' | 'gain' | 'rest' }) {
  return <span {...rest} className={clsx(styles.tag, styles[tone], rest.className)} />;
}
