export { isNotPaused } from './catch-ups.store.ts';
export { PlatformReads } from './platform-reads.service.ts';
export { recordNotices, Runs } from './runs.store.ts';
export { Syncing } from './syncing.service.ts';
