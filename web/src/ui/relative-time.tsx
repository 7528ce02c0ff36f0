import { useLingui } from '@lingui/react/macro';
import { formatAgo, formatDate } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';

/**
 * How long ago something happened, moving with the clock; the exact time on hover.
 * @param at ISO, UTC
 * @param otherwise shown where that is no instant (D44)
 */
export function RelativeTime({ at, otherwise = '' }: { at: string; otherwise?: string }) {
  const { t } = useLingui();
  const now = useNow();
  if (Number.isNaN(Date.parse(at))) return otherwise;
  const exact = formatDate(new Date(at), { dateStyle: 'full', timeStyle: 'short' });
  return (
    <time dateTime={at} title={exact}>
      {formatAgo(at, now, t`just now`)}
    </time>
  );
}
