export { beginCatchUps, isNotPaused } from './catch-ups.store.ts';
export { PlatformReads } from './platform-reads.service.ts';
export { Runs } from './runs.service.ts';
export { recordNotices } from './runs.store.ts';
export { Syncing } from './syncing.service.ts';
