import clsx from 'clsx';
import { useId, type ReactNode } from 'react';
import styles from './card.module.css';

type CardProps = {
  title?: ReactNode;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  /** brand: quietly tinted, for what concerns the reader most. */
  tone?: 'plain' | 'brand';
  className?: string | undefined;
  children: ReactNode;
};

/** Something that can be lifted apart; with a title it is a region of that name. */
export function Card({ title, aside, tone = 'plain', className, children }: CardProps) {
  const id = useId();
  return (
    <section className={clsx(styles.card, styles[tone], className)} aria-labelledby={title ? id : undefined}>
      {title && (
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {aside && <div className={styles.aside}>{aside}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
