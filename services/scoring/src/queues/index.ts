export { KeyedQueue } from './keyed.queue.ts';
export { WorkQueue } from './work.queue.ts';
