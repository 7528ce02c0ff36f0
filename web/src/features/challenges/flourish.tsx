import type { CSSProperties } from 'react';
import styles from './flourish.module.css';

const sparks = Array.from({ length: 12 }, (_, index) => index);

/** A handful of sparks, once, when something was won; nothing of it where motion is not wanted. */
export const Flourish = () => (
  <span className={styles.flourish} aria-hidden="true">
    {sparks.map((index) => (
      <i key={index} style={{ '--turn': `${(index * 360) / sparks.length}deg` } as CSSProperties} />
    ))}
  </span>
);
