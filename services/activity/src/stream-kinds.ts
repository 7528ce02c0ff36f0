import { movementStream } from './logging/movement-stream.ts';

/** Everything that this service records: what a rebuild reads. */
export const streamKinds = [movementStream];
