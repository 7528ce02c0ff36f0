import clsx from 'clsx';
import { Avatar as Radix } from 'radix-ui';
import { initialsOf } from '../lib/format.ts';
import styles from './avatar.module.css';

/** A face, or the initials where there is none. Decoration: the name stands beside it. */
export function Avatar({
  name,
  photoUrl,
  size = 'normal',
  place,
}: {
  name: string;
  photoUrl?: string | null | undefined;
  size?: 'normal' | 'large' | 'huge';
  /** A ring of gold, silver or bronze. */
  place?: 1 | 2 | 3 | undefined;
}) {
  return (
    <Radix.Root className={clsx(styles.avatar, styles[size], place && styles[`place${place}`])} aria-hidden="true">
      {photoUrl && <Radix.Image className={styles.photo} src={photoUrl} alt="" />}
      <Radix.Fallback>{initialsOf(name)}</Radix.Fallback>
    </Radix.Root>
  );
}
