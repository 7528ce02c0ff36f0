import type { LogAnswer, LogRequest } from '@caravan/contracts/http/movement';
import { logRequestSchema } from '@caravan/contracts/http/movement';
import { milesOf } from '@caravan/contracts/miles';
import type { BonusRefusal } from '../ports.ts';
import { activityNameOf } from './movement.ts';
import type { BonusUse, LogMovement, MovementEvent } from './movement.ts';
import type { Reach } from './movement-start.ts';
import type { MovementTexts } from './public-events.ts';

/** The body of `POST /api/log`, as far as it can be taken today. */
export const loggableSchema = logRequestSchema.refine(({ photoPath }) => !photoPath, {
  path: ['photoPath'],
  message: 'Photos cannot be attached yet',
});

/** What the service knows of the member who logs. */
export type LoggingMember = {
  readonly teamId: string;
  readonly timeZone: string;
  /** Hundredths of a mile of all logs before this one. */
  readonly centimiles: number;
};

/** The command a request means. */
export function commandOf(
  { activityType, durationMinutes, source, startedAt, distanceMiles }: LogRequest,
  { teamId, timeZone }: LoggingMember,
  ids: { logId: string; userId: string; bonus: BonusUse | undefined; reach: Reach },
): LogMovement {
  return {
    type: 'LogMovement',
    ...ids,
    teamId,
    timeZone,
    activity: activityNameOf(activityType),
    durationMinutes,
    source,
    startedAt: startedAt === undefined ? undefined : new Date(startedAt),
    coveredMiles: distanceMiles,
  };
}

/** What the member typed; a text without a character is none. */
export function textsOf({ activityType, photoPrompt, location }: LogRequest): MovementTexts {
  return { activityType, caption: photoPrompt || null, location: location || null };
}

/** True when the log alone could not show what the member typed. */
export function hasOwnTexts({ activityType, caption, location }: MovementTexts): boolean {
  return activityNameOf(activityType) === 'custom' || caption !== null || location !== null;
}

/** What the member reads back (D16); a bonus challenge that does not apply never costs the log (D40). */
export function answerOf(
  { data }: Extract<MovementEvent, { type: 'MovementLogged' }>,
  before: LoggingMember,
  bonusReason: BonusRefusal | undefined,
): LogAnswer {
  return {
    id: data.logId,
    milesEarned: milesOf(data.centimiles),
    multiplier: data.multiplier,
    totalMiles: milesOf(before.centimiles + data.centimiles),
    bonusApplied: data.bonus !== undefined,
    ...(bonusReason && { bonusReason }),
  };
}
