import type { CorrectLogRequest, OwnLog } from '@caravan/contracts/http/movement';
import { milesOf } from '@caravan/contracts/miles';
import { activityNameOf } from './movement.ts';
import type { CorrectMovement, LoggedMovement } from './movement.ts';
import type { MovementTexts } from './public-events.ts';

/** What a log says once a correction is in: what is absent stays, null empties. */
export function correctedTexts(
  { activityType, photoPrompt, location }: CorrectLogRequest,
  before: MovementTexts,
): MovementTexts {
  const text = (said: string | null | undefined, known: string | null) => (said === undefined ? known : said || null);
  return {
    activityType: activityType ?? before.activityType,
    caption: text(photoPrompt, before.caption),
    location: text(location, before.location),
  };
}

/** The command that a correction means. */
export function correctionOf(
  { activityType, durationMinutes, startedAt, distanceMiles }: CorrectLogRequest,
  { userId, before, after }: { userId: string; before: MovementTexts; after: MovementTexts },
): CorrectMovement {
  return {
    type: 'CorrectMovement',
    userId,
    activity: activityType === undefined ? undefined : activityNameOf(activityType),
    isOtherActivity: before.activityType.toLowerCase() !== after.activityType.toLowerCase(),
    durationMinutes,
    startedAt: startedAt === undefined ? undefined : new Date(startedAt),
    coveredMiles: distanceMiles,
    changesTexts:
      before.activityType !== after.activityType ||
      before.caption !== after.caption ||
      before.location !== after.location,
  };
}

/** A log as its owner reads it. */
export function ownLogOf(log: LoggedMovement, { activityType, caption, location }: MovementTexts): OwnLog {
  const { logId, durationMinutes, centimiles, multiplier, source, startedAt, loggedOn, loggedAt } = log;
  return {
    id: logId,
    ...{ activityType, durationMinutes, distanceMiles: milesOf(centimiles), multiplier, source },
    ...{ caption, location, startedAt, loggedOn, createdAt: loggedAt },
  };
}
