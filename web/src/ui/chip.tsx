import clsx from 'clsx';
import type { ComponentProps } from 'react';
import styles from './chip.module.css';

/** A small choice that is on or off; `isPressed` says which. */
export function Chip({ isPressed, className, ...rest }: ComponentProps<'button'> & { isPressed?: boolean }) {
  return <button type="button" {...rest} aria-pressed={isPressed} className={clsx(styles.chip, className)} />;
}

/** A word on a quiet ground: a source, a state, a number gained. */
export function Tag({ tone = 'plain', ...rest }: ComponentProps<'span'> & { tone?: 'plain' | 'brand' | 'good' }) {
  return <span {...rest} className={clsx(styles.tag, styles[tone], rest.className)} />;
}
