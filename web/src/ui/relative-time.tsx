import { useLingui } from '@lingui/react/macro';
import { formatAgo, formatDate } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';

/** How long ago something happened, moving with the clock; the exact time on hover. @param at ISO, UTC */
export function RelativeTime({ at }: { at: string }) {
  const { t } = useLingui();
  const exact = formatDate(new Date(at), { dateStyle: 'full', timeStyle: 'short' });
  return (
    <time dateTime={at} title={exact}>
      {formatAgo(at, useNow(), t`just now`)}
    </time>
  );
}
