import clsx from 'clsx';
import { initialsOf } from '../lib/format.ts';
import styles from './avatar.module.css';
import { hashOf } from './scene/seeded-random.ts';
import { useSteadyAddress } from './use-steady-address.ts';

const pixels = { small: 36, normal: 44, large: 60, huge: 96 } as const;

/** So many landscapes there are: eight hues, three hills. */
const hues = 8;
const hills = 3;

/**
 * A face, or the initials in a small landscape of their own where there is none. Decoration: the name stands beside it.
 */
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
    <span
      className={clsx(styles.avatar, styles[size], landscapeOf(name), place && styles[`place${place}`])}
      aria-hidden="true"
    >
      <span>{initialsOf(name)}</span>
      {photoUrl && <Face src={photoUrl} size={pixels[size]} />}
    </span>
  );
}

/** The same name has the same colours and hill everywhere. */
function landscapeOf(name: string): string {
  const hash = hashOf(name);
  return clsx(styles[`hue${hash % hues}`], styles[`hill${(hash >>> 3) % hills}`]);
}

/** Where this many pixels of the screen are drawn by the smallest size of a face, whatever its shape. */
const smallestIsEnough = 44;

/** An address of the smallest size opens the next one too (ADR 0057): it is loaded where it would be seen. */
function sourcesOf(src: string, size: number): { src: string; srcSet?: string } {
  const larger = src.replace(/\/64\.webp(?=\?|$)/, '/280.webp');
  if (larger === src) return { src };
  return size <= smallestIsEnough ? { src, srcSet: `${src} 1x, ${larger} 2x` } : { src: larger };
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
      {...sourcesOf(src, size)}
      width={size}
      height={size}
      alt=""
      onError={onError}
    />
  );
}
