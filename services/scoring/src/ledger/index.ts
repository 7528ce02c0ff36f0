export { creditsInSql, intoSetsSql, ledgerProjection } from './ledger.projection.ts';
export type { LedgerEvent, MilesCredited } from './ledger.ts';
export { shownOf } from './log-facts.ts';
export { figuresWithBonus, shownRunsOf } from './member-snapshot.query.ts';
export { ledgerPublicEvents } from './public-events.ts';
export type { FiguresAfter } from './public-events.ts';
export { writeMovements } from './recent-movements.store.ts';
