import clsx from 'clsx';
import type { ComponentProps } from 'react';
import styles from './drawing.module.css';

/** A picture in a box of 48 by 48, as paths: soft areas, the lines around them, and small solid parts. */
export type Drawing = { readonly area?: string; readonly line?: string; readonly solid?: string };

/** A picture of the product's own, in the colour of the text around it; what it shows stands beside it in words. */
export function Draw({
  drawing: { area, line, solid },
  size,
  className,
  ...rest
}: { drawing: Drawing; size?: number } & ComponentProps<'svg'>) {
  return (
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      {...rest}
      className={clsx(styles.drawing, className)}
      aria-hidden="true"
    >
      {area !== undefined && <path className={styles.area} d={area} />}
      {line !== undefined && <path d={line} />}
      {solid !== undefined && <path className={styles.solid} d={solid} />}
    </svg>
  );
}
