import type { ShownPhoto } from '@caravan/contracts/http/photos';
import clsx from 'clsx';
import { ImageOff } from 'lucide-react';
import type { CSSProperties } from 'react';
import styles from './photo.module.css';
import { useSteadyAddress } from './use-steady-address.ts';
import { useThumbHash } from './use-thumb-hash.ts';

/** Taller ones are cut: one photo fills no more than a screen. */
const tallest = 4 / 5;
const unknownShape = 16 / 10;

type PhotoProps = {
  src: string;
  photo: ShownPhoto | null;
  /** Says what it is where nobody wrote what it shows. */
  otherwise: string;
  /** How wide it is drawn, for the browser to choose by. */
  sizes: string;
  isSquare?: boolean;
  className?: string | undefined;
};

/** A member's photo. Its place is there before it is, with its colours, and stays when it cannot be loaded. */
export function Photo({ src, photo, otherwise, sizes, isSquare = false, className }: PhotoProps) {
  const address = useSteadyAddress({ src, srcSet: photo?.srcSet });
  const colours = useThumbHash(photo?.thumbHash);
  const alt = photo?.alt || otherwise;
  const shape = photo ? Math.max(photo.width / photo.height, tallest) : unknownShape;
  const place = {
    className: clsx(styles.frame, className),
    style: {
      '--shape': isSquare ? 1 : shape,
      ...(colours && { backgroundImage: `url("${colours}")` }),
    } as CSSProperties,
  };
  if (address.isBroken)
    return (
      <span {...place} role="img" aria-label={alt}>
        <ImageOff size={28} aria-hidden="true" />
      </span>
    );
  return (
    <span {...place}>
      <img
        className={styles.photo}
        // Before the addresses: what chooses among them is known when they come.
        loading="lazy"
        decoding="async"
        sizes={sizes}
        srcSet={address.srcSet}
        src={address.src}
        width={photo?.width}
        height={photo?.height}
        alt={alt}
        onError={address.onError}
      />
    </span>
  );
}
