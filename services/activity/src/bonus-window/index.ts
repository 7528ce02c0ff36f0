export type { BonusRefusal, BonusUse } from './bonus.ts';
export { evaluateBonus } from './bonus-window.query.ts';
