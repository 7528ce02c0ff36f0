export type { BonusEvaluation, BonusRefusal, BonusUse } from './bonus.ts';
export { evaluateBonus } from './bonus-window.query.ts';
