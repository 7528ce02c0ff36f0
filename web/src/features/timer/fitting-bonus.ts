import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { BonusChallenge } from '@caravan/contracts/http/challenges';

/** An open bonus challenge that a log of its activity can count for. */
export type FittingBonus = {
  readonly challengeId: string;
  readonly title: string;
  readonly multiplier: number;
  /** Shorter logs do not count for it. */
  readonly fewestMinutes: number;
  readonly isLongEnough: boolean;
};

const plain = (activity: string): string => activity.trim().toLowerCase();

/** Follows the server's rules (D15); null where the log cannot count for it, however long it is. */
export function fittingBonus(
  challenge: BonusChallenge | null | undefined,
  { activity, minutes }: { activity: string; minutes: number },
  now: number,
): FittingBonus | null {
  if (!challenge?.isActive || challenge.isCompleted || Date.parse(challenge.expiresAt) <= now) return null;
  if (plain(challenge.activityType) !== plain(activity)) return null;
  const { id, title, multiplier, targetDurationMinutes } = challenge;
  return {
    challengeId: id,
    title,
    multiplier,
    fewestMinutes: targetDurationMinutes,
    isLongEnough: minutes >= targetDurationMinutes,
  };
}

const refusals: Record<string, MessageDescriptor> = {
  'bonus/closed': msg`The bonus challenge had already ended, so your miles count once.`,
  'bonus/other-activity': msg`The bonus challenge was for another activity, so your miles count once.`,
  'bonus/too-short': msg`That was too short for the bonus challenge, so your miles count once.`,
  'bonus/already-completed': msg`You had completed the bonus challenge before, so your miles count once.`,
};

const unknown = msg`The bonus challenge could not be found, so your miles count once.`;

/** Why a bonus that was named did not apply, in words (D15, D40). @param code of the answer's `bonusReason` */
export const bonusRefusal = (code: string): MessageDescriptor => refusals[code] ?? unknown;
