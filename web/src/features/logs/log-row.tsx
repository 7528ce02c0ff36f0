import type { OwnLog } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { PencilLine, Trash2 } from 'lucide-react';
import { formatDate, formatDuration } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { useDistance } from '../../lib/units.ts';
import { Tag } from '../../ui/chip.tsx';
import styles from './logs.module.css';

/** The year is said where it is not the running one. */
const dateIn = (startedAt: string, now: number): Intl.DateTimeFormatOptions => ({
  ...(new Date(startedAt).getFullYear() !== new Date(now).getFullYear() && { year: 'numeric' }),
  ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
});

/** One movement: what, how long, when, and what it earned. */
export function LogRow({
  log,
  isChangeable,
  onAsk,
}: {
  log: OwnLog;
  isChangeable: boolean;
  onAsk: (act: 'correct' | 'remove') => void;
}) {
  const { t } = useLingui();
  const { figure, short } = useDistance();
  const { activityType, durationMinutes, multiplier, startedAt, caption } = log;
  const when = formatDate(new Date(startedAt), dateIn(startedAt, useNow()));
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <b>{activityType}</b>
        <p>
          <time dateTime={startedAt}>{when}</time> · {formatDuration(durationMinutes)}
        </p>
        {caption && <p className={styles.caption}>{caption}</p>}
      </div>
      <div className={styles.earned}>
        {multiplier > 1 && <Tag tone="brand">x{multiplier}</Tag>}
        <span className={styles.miles}>
          {figure(log.distanceMiles)} {short}
        </span>
      </div>
      {isChangeable && (
        <div className={styles.acts}>
          <button type="button" aria-label={t`Correct ${activityType}, ${when}`} onClick={() => onAsk('correct')}>
            <PencilLine size={20} aria-hidden="true" />
          </button>
          <button type="button" aria-label={t`Delete ${activityType}, ${when}`} onClick={() => onAsk('remove')}>
            <Trash2 size={20} aria-hidden="true" />
          </button>
        </div>
      )}
    </li>
  );
}
