import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { formatCount } from '../../lib/format.ts';
import { Hidden } from '../../ui/hidden.tsx';
import styles from './medal.module.css';
import { placeOf } from './standing.ts';

/** A rank; the first three wear gold, silver and bronze. */
export function Medal({ rank }: { rank: number | null }) {
  const { t } = useLingui();
  const place = placeOf(rank);
  return (
    <span className={clsx(styles.rank, place && [styles.medal, styles[`place${place}`]])}>
      <Hidden>{t`Rank`} </Hidden>
      {rank === null ? '--' : formatCount(rank)}
    </span>
  );
}
