import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { reactionGiven, reactionTakenBack } from '@caravan/contracts/events/social.events';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { ReactionEvent } from './reaction.ts';

export const reactionsPublicEvents: PublicEvents<ReactionEvent> = {
  ReactionGiven: ({ data }): PublicEventOf<typeof reactionGiven> => ({ type: 'ReactionGiven', version: 1, data }),
  ReactionTakenBack: ({ data }): PublicEventOf<typeof reactionTakenBack> => ({
    type: 'ReactionTakenBack',
    version: 1,
    data,
  }),
};
