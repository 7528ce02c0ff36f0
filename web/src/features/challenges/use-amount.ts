import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { formatCount } from '../../lib/format.ts';
import { useDistance } from '../../lib/units.ts';

/** How far one is, in words and in the reader's units: '3 of 4 days', '3.2 of 5 miles'. */
export function useAmount({ targetUnit, targetValue }: WeeklyChallenge, current: number): string {
  const { t } = useLingui();
  const { figure, brief, long } = useDistance();
  const isDistance = targetUnit === 'miles';
  const done = isDistance ? figure(current) : formatCount(current);
  const target = isDistance ? brief(targetValue) : formatCount(targetValue);
  switch (targetUnit) {
    case 'miles':
      return t`${done} of ${target} ${long}`;
    case 'days':
      return t`${done} of ${target} ${plural(targetValue, { one: 'day', other: 'days' })}`;
    case 'activities':
      return t`${done} of ${target} ${plural(targetValue, { one: 'activity', other: 'activities' })}`;
    case 'minutes':
      return t`${done} of ${target} ${plural(targetValue, { one: 'minute', other: 'minutes' })}`;
  }
}
