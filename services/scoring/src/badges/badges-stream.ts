import type { StreamKind } from '@caravan/event-store/core/event-store';
import { badges } from './badges.ts';
import type { Badges, BadgesCommand, BadgesEvent } from './badges.ts';
import { badgesProjection } from './badges.projection.ts';
import { badgesPublicEvents } from './public-events.ts';

export const badgesStream: StreamKind<Badges, BadgesCommand, BadgesEvent> = {
  decider: badges,
  projections: [badgesProjection],
  publicEvents: badgesPublicEvents,
};
