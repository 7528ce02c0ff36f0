export { PlatformReads } from './platform-reads.service.ts';
export { recordNotices } from './runs.store.ts';
export { Syncing } from './syncing.service.ts';
