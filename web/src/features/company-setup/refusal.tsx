import { CircleAlert } from 'lucide-react';
import styles from './company-setup.module.css';

/** Why a group of choices cannot be sent; `id` ties it to the group. */
export const Refusal = ({ id, children }: { id: string; children: string | undefined }) =>
  children === undefined ? null : (
    <p id={id} className={styles.refusal}>
      <CircleAlert size={16} aria-hidden="true" />
      {children}
    </p>
  );
