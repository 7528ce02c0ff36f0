export type { ImportMovement, RetractMovement } from './imported.ts';
export { activityNameOf } from './movement.ts';
export { countOthers, movementStream } from './movement.service.ts';
export { recordingOfLog } from './recordings.query.ts';
export { recount, type Recount } from './recount.query.ts';
export { details, type MovementTexts } from './texts.ts';
export { writeTexts } from './texts.store.ts';
