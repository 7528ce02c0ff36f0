import type { LogRequest } from '@caravan/contracts/http/movement';
import type { Unit } from '@caravan/event-store/event-store';
import type { BonusUse } from './logging/movement.ts';

// What one feature offers to the others: the features themselves do not know each other. Each symbol is the injection
// token under which the feature's module provides it.

/** Why a named bonus challenge does not apply: public, stable codes (D40). */
export type BonusRefusal =
  'bonus/unknown' | 'bonus/closed' | 'bonus/other-activity' | 'bonus/too-short' | 'bonus/already-completed';

export type BonusJudgement = { readonly bonus?: BonusUse; readonly refusal?: BonusRefusal };

/** bonus-window: which logs earn a multiplier (D15). */
export const BonusWindow = Symbol('BonusWindow');
export type BonusWindow = {
  /** Whether the log of the unit's member completes the bonus challenge that it names. Call under the member's lock. */
  judge(
    unit: Unit,
    log: Pick<LogRequest, 'bonusChallengeId' | 'activityType' | 'durationMinutes'>,
  ): Promise<BonusJudgement>;
};
