export type { ImportMovement, RetractMovement } from './imported.ts';
export { activityNameOf } from './movement.ts';
export type { ActivityName } from './movement-events.ts';
export { movementStream } from './movement.service.ts';
export type { MovementTexts } from './public-events.ts';
export { writeTexts } from './texts.store.ts';
