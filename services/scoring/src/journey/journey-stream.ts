import type { StreamKind } from '@caravan/event-store/core/event-store';
import { journey } from './journey.ts';
import type { JourneyCommand, JourneyEvent, Journeying } from './journey.ts';
import { journeyProjection } from './journey.projection.ts';
import { type Contributors, journeyPublicEvents } from './public-events.ts';

export const journeyStream: StreamKind<Journeying, JourneyCommand, JourneyEvent, Contributors> = {
  decider: journey,
  projections: [journeyProjection],
  publicEvents: journeyPublicEvents,
};
