import { useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount } from '../lib/format.ts';
import { Button } from './button.tsx';
import styles from './pager.module.css';

/** The way through a long list; nothing where one page holds it all. */
export function Pager({
  label,
  before,
  count,
  onPrevious,
  onNext,
}: {
  label: string;
  /** Rows before this page. */
  before: number;
  count: number;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}) {
  const { t } = useLingui();
  if (!onPrevious && !onNext) return null;
  const first = formatCount(before + 1);
  const last = formatCount(before + count);
  return (
    <nav className={styles.pager} aria-label={label}>
      <Button variant="quiet" size="small" disabled={!onPrevious} onClick={onPrevious ?? undefined}>
        <ChevronLeft size={18} aria-hidden="true" />
        {t`Previous`}
      </Button>
      <span aria-live="polite">{`${first}–${last}`}</span>
      <Button variant="quiet" size="small" disabled={!onNext} onClick={onNext ?? undefined}>
        {t`Next`}
        <ChevronRight size={18} aria-hidden="true" />
      </Button>
    </nav>
  );
}
