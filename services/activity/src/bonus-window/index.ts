export type { BonusRefusal, BonusUse } from './bonus.ts';
export { judgeBonus } from './bonus-window.query.ts';
