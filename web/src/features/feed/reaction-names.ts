import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The three ways to cheer (3.40), in their order, and what each says in words. */
export const reactionNames: Readonly<Record<ReactionEmoji, MessageDescriptor>> = {
  '💪': msg`Strong`,
  '❤️': msg`Love`,
  '🙌': msg`Celebrate`,
};
