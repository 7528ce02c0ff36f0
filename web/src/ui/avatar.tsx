import clsx from 'clsx';
import { initialsOf } from '../lib/format.ts';
import styles from './avatar.module.css';
import { useSteadyAddress } from './use-steady-address.ts';

const pixels = { normal: 42, large: 60, huge: 92 } as const;

/** A face, or the initials where there is none. Decoration: the name stands beside it. */
export function Avatar({
  name,
  photoUrl,
  size = 'normal',
  place,
}: {
  name: string;
  photoUrl?: string | null | undefined;
  size?: keyof typeof pixels;
  /** A ring of gold, silver or bronze. */
  place?: 1 | 2 | 3 | undefined;
}) {
  return (
    <span className={clsx(styles.avatar, styles[size], place && styles[`place${place}`])} aria-hidden="true">
      <span>{initialsOf(name)}</span>
      {photoUrl && <Face src={photoUrl} size={pixels[size]} />}
    </span>
  );
}

/** Lies on the initials, which are there until it is loaded, and when it cannot be. */
function Face({ src: newest, size }: { src: string; size: number }) {
  const { src, isBroken, onError } = useSteadyAddress({ src: newest });
  if (isBroken) return null;
  return (
    <img
      className={styles.photo}
      loading="lazy"
      decoding="async"
      src={src}
      width={size}
      height={size}
      alt=""
      onError={onError}
    />
  );
}
