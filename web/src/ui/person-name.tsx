import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import styles from './person-name.module.css';

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
  if (profileId == null) return <span className={className}>{name}</span>;
  return (
    <Link to="/user/$id" params={{ id: profileId }} className={clsx(styles.link, className)}>
      {name}
    </Link>
  );
}
