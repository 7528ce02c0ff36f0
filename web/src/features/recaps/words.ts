import type { VibeEmoji } from '@caravan/contracts/http/recaps';
import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { formatLocalDate } from '../../lib/dates.ts';

/** What the emoji say, for who does not see them. */
export const reactionNames: Readonly<Record<ReactionEmoji, MessageDescriptor>> = {
  '💪': msg`Strong`,
  '❤️': msg`Love`,
  '🙌': msg`Celebrate`,
};

export const vibeNames: Readonly<Record<VibeEmoji, MessageDescriptor>> = {
  '🤩': msg`Thrilled`,
  '😊': msg`Happy`,
  '😌': msg`Calm`,
  '😴': msg`Tired`,
  '🌧️': msg`Under the weather`,
};

/** 'November 9 – 15', 'November 30 – December 6'. */
export function weekName({ weekStartDate, weekEndDate }: { weekStartDate: string; weekEndDate: string }): string {
  const isOneMonth = weekStartDate.slice(0, 7) === weekEndDate.slice(0, 7);
  const from = formatLocalDate(weekStartDate, { month: 'long', day: 'numeric' });
  const to = formatLocalDate(weekEndDate, isOneMonth ? { day: 'numeric' } : { month: 'long', day: 'numeric' });
  return `${from} – ${to}`;
}
