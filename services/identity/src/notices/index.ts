export { isPushWanted, isQuiet, isStillNews, outsideQuietHours, planPushes } from './delivery.ts';
export type { NoticeKind, Switches } from './delivery.ts';
export { isSayableSql, waitingFor } from './due-notices.store.ts';
export type { Person } from './due-notices.store.ts';
