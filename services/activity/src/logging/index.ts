export type { ImportMovement, RetractMovement } from './imported.ts';
export { activityNameOf } from './movement.ts';
export { movementStream } from './movement.service.ts';
export { nothingMeasured } from './public-events.ts';
export type { MovementTexts } from './public-events.ts';
export { writeTexts } from './texts.store.ts';
