import { formerMemberName, hiddenMemberName } from '@caravan/contracts/unnamed';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import styles from './person-name.module.css';

const unnamed: ReadonlySet<string> = new Set([formerMemberName, hiddenMemberName]);

/** A colleague's name, which leads to their profile; who hides or has left is nobody's link (D18). */
export function PersonName({ id, name, className }: { id: string; name: string; className?: string | undefined }) {
  if (unnamed.has(name)) return <span className={className}>{name}</span>;
  return (
    <Link to="/user/$id" params={{ id }} className={clsx(styles.link, className)}>
      {name}
    </Link>
  );
}
