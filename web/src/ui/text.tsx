import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useDates } from '../lib/dates.ts';
import { prefersLessMotion } from '../lib/media.ts';
import { useNow } from '../lib/now.ts';
import styles from './text.module.css';

/** A colleague's name, which leads to their profile. @param profileId null: whom the answer hides is nobody's link (D18) */
export function PersonName({
  profileId,
  name,
  className,
}: {
  profileId: string | null | undefined;
  name: string;
  className?: string | undefined;
}) {
  if (profileId == null) return <bdi className={className}>{name}</bdi>;
  return (
    <Link to="/user/$id" params={{ id: profileId }} className={clsx(styles.link, className)}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/**
 * How long ago something happened, moving with the clock; the exact time on hover.
 * @param at ISO, UTC
 * @param otherwise shown where that is no instant (D44)
 */
export function RelativeTime({ at, otherwise = '' }: { at: string; otherwise?: string }) {
  const { t } = useLingui();
  const { formatAgo, formatDate } = useDates();
  const now = useNow();
  if (Number.isNaN(Date.parse(at))) return otherwise;
  const exact = formatDate(at, { dateStyle: 'full', timeStyle: 'short' });
  return (
    <time dateTime={at} title={exact}>
      {formatAgo(at, now, t`just now`)}
    </time>
  );
}

const rollMilliseconds = 600;

/** A figure that counts up or down to its new value when it changes; it does not move when it first appears. */
export function Rolling({ value, format }: { value: number; format: (value: number) => string }) {
  const [shown, setShown] = useState(value);
  const from = useRef(value);
  useEffect(() => {
    const start = from.current;
    if (start === value) return undefined;
    const begin = performance.now();
    const length = prefersLessMotion() ? 0 : rollMilliseconds;
    let frame = requestAnimationFrame(function step(now) {
      const share = length === 0 ? 1 : Math.min(1, Math.max(0, now - begin) / length);
      from.current = start + (value - start) * (1 - (1 - share) ** 4);
      setShown(share === 1 ? value : from.current);
      if (share < 1) frame = requestAnimationFrame(step);
      else from.current = value;
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{format(shown)}</span>;
}

/** Read aloud, not shown. */
export const Hidden = ({ children }: { children: ReactNode }) => <span className={styles.hidden}>{children}</span>;
