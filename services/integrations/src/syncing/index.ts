export { recordNotices } from './runs.store.ts';
export { Syncing } from './syncing.service.ts';
