import type { Told } from '@caravan/contracts/domain/movement/disclosure';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { formatLocalDate } from '../../lib/dates.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';

type MaybeTold = Told | null;

/** In the middle of what is told, 0 to 1; where it is exact, there. */
export const middleOf = ({ atLeast, atMost }: Told, of: number): number => (atLeast + atMost) / 2 / of;

/** How figures are said that are ranges where they would be about a few people. */
export function useTold() {
  const { t } = useLingui();
  const tooFew = t`too few people`;
  return {
    tooFew,
    /** '58%', '83% to 96%'. */
    share: (told: MaybeTold, of: number): string => {
      if (told === null) return tooFew;
      const least = formatPercent(told.atLeast / of);
      const most = formatPercent(told.atMost / of);
      return told.atLeast === told.atMost ? least : t`${least} to ${most}`;
    },
    /** '14 of 24 members', 'fewer than 5 of 24 members', '20 to 23 of 24 members'. */
    people: (told: MaybeTold, of: number | null): string => {
      if (told === null || of === null) return tooFew;
      const all = formatCount(of);
      const least = formatCount(told.atLeast);
      const most = formatCount(told.atMost);
      if (told.atLeast === told.atMost) return t`${least} of ${all}`;
      return told.atLeast === 1 && told.atMost === 4 ? t`fewer than 5 of ${all}` : t`${least} to ${most} of ${all}`;
    },
    logs: (count: number | null): string =>
      count === null ? tooFew : plural(count, { one: '# log', other: '# logs' }),
  };
}

export const dayName = (date: string): string =>
  formatLocalDate(date, { weekday: 'long', day: 'numeric', month: 'long' });
export const shortDate = (date: string): string => formatLocalDate(date, { day: 'numeric', month: 'short' });
