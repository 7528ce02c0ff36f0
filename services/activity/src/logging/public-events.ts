import type { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';
import type { MovementTexts } from './texts.ts';

export const movementPublicEvents: PublicEvents<MovementEvent, MovementTexts> = {
  MovementLogged: ({ data }, texts): PublicEventOf<typeof movementLogged> => ({
    type: 'MovementLogged',
    version: 1,
    data: publicDataOf(data, texts),
  }),
  MovementCorrected: ({ data }, texts): PublicEventOf<typeof movementCorrected> => ({
    type: 'MovementCorrected',
    version: 1,
    data: {
      ...publicDataOf(data, texts),
      revision: data.revision,
      correctedAt: data.correctedAt,
      previous: data.previous,
    },
  }),
  MovementRemoved: ({ data }): PublicEventOf<typeof movementRemoved> => ({ type: 'MovementRemoved', version: 1, data }),
  // Nobody has heard of it.
  MovementForestalled: 'private',
};

function publicDataOf(data: LoggedMovement, texts: MovementTexts): PublicEventOf<typeof movementLogged>['data'] {
  return {
    logId: data.logId,
    userId: data.userId,
    teamId: data.teamId,
    activityType: texts.activityType,
    durationMinutes: data.durationMinutes,
    centimiles: data.centimiles,
    multiplier: data.multiplier,
    source: data.source,
    startedAt: data.startedAt,
    loggedAt: data.loggedAt,
    loggedOn: data.loggedOn,
    timeZone: data.timeZone,
    caption: texts.caption,
    location: texts.location,
    ...photoIn(texts),
    audience: data.import?.audience ?? 'organisation',
    heartRate: texts.heartRate,
    calories: texts.calories,
    ...(data.bonus && { bonusChallengeId: data.bonus.challengeId }),
    ...(data.notCounted && { notCounted: data.notCounted }),
    ...(data.override !== undefined && { countsByWord: data.override }),
  };
}

function photoIn({ photo: kept }: MovementTexts) {
  if (!kept) return { photoPath: null, photo: null };
  const { objectPath: photoPath, ...photo } = kept;
  return { photoPath, photo };
}
