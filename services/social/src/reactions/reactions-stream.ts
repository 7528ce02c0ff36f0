import type { StreamKind } from '@caravan/event-store/core/event-store';
import { reactionsPublicEvents } from './public-events.ts';
import { reactions } from './reaction.ts';
import type { ReactionEvent, Reactions, ToggleReaction } from './reaction.ts';
import { reactionsProjection } from './reactions.projection.ts';

export const reactionsStream: StreamKind<Reactions, ToggleReaction, ReactionEvent> = {
  decider: reactions,
  projections: [reactionsProjection],
  publicEvents: reactionsPublicEvents,
};

/** The id of the stream of one member at one post. */
export const reactionsIdOf = ({ logId, userId }: { readonly logId: string; readonly userId: string }): string =>
  `${logId}.${userId}`;
