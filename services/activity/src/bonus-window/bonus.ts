import { isSameText } from '@caravan/contracts/domain/text/text-key';

/** With what it asked for, so that a correction can be judged. */
export type BonusUse = {
  challengeId: string;
  multiplier: number;
  targetDurationMinutes: number;
};

/** Public, stable codes (D40). */
export type BonusRefusal =
  | 'bonus/unknown'
  | 'bonus/closed'
  | 'bonus/other-activity'
  | 'bonus/too-short'
  | 'bonus/already-completed'
  | 'bonus/same-workout';

export type BonusEvaluation = { readonly bonus?: BonusUse; readonly refusal?: BonusRefusal };

/** As scoring announced it, with whether the member has completed it. */
export type Window = {
  readonly challengeId: string;
  readonly activityType: string;
  readonly targetDurationMinutes: number;
  readonly multiplier: number;
  readonly openedAt: Date;
  readonly expiresAt: Date;
  readonly closedAt: Date | null;
  readonly isCompleted: boolean;
};

/** Open then, the same activity in any case, long enough, not completed before (D15); else the first reason why not. */
export function evaluate(
  window: Window | undefined,
  log: { readonly activityType: string; readonly durationMinutes: number },
  at: Date,
): BonusEvaluation {
  if (!window) return { refusal: 'bonus/unknown' };
  const { challengeId, multiplier, targetDurationMinutes } = window;
  if (window.closedAt !== null || at < window.openedAt || at >= window.expiresAt) return { refusal: 'bonus/closed' };
  if (!isSameText(window.activityType, log.activityType)) return { refusal: 'bonus/other-activity' };
  if (log.durationMinutes < targetDurationMinutes) return { refusal: 'bonus/too-short' };
  if (window.isCompleted) return { refusal: 'bonus/already-completed' };
  return { bonus: { challengeId, multiplier, targetDurationMinutes } };
}
