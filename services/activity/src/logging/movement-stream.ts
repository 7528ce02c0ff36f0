import type { StreamKind } from '@caravan/event-store/event-store';
import { bonusUsesProjection } from './bonus-uses.projection.ts';
import { movement } from './movement.ts';
import type { Movement, MovementCommand, MovementEvent } from './movement.ts';
import { movementProjection } from './movement.projection.ts';
import { movementPublicEvents } from './public-events.ts';
import type { MovementTexts } from './public-events.ts';

export const movementStream: StreamKind<Movement, MovementCommand, MovementEvent, MovementTexts> = {
  decider: movement,
  projections: [movementProjection, bonusUsesProjection],
  publicEvents: movementPublicEvents,
};
