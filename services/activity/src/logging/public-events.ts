import type { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { KeptPhoto } from '@caravan/service-kit/storage/photo-address';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';

/** It travels and lies in a row, the log never holds it. */
export type MovementTexts = {
  readonly activityType: string;
  readonly caption: string | null;
  readonly location: string | null;
  /** Its proof, which lies in a row of its own. */
  readonly photo: KeptPhoto | null;
} & Measured;

/** What only the member's body says; it travels and is forgotten like words. */
export type Measured = { readonly heartRate: number | null; readonly calories: number | null };

export const nothingMeasured: Measured = { heartRate: null, calories: null };

export const movementPublicEvents: PublicEvents<MovementEvent, MovementTexts> = {
  MovementLogged: ({ data }, texts): PublicEventOf<typeof movementLogged> => ({
    type: 'MovementLogged',
    version: 1,
    data: shown(data, texts),
  }),
  MovementCorrected: ({ data }, texts): PublicEventOf<typeof movementCorrected> => ({
    type: 'MovementCorrected',
    version: 1,
    data: {
      ...shown(data, texts),
      revision: data.revision,
      correctedAt: data.correctedAt,
      previous: data.previous,
    },
  }),
  MovementRemoved: ({ data }): PublicEventOf<typeof movementRemoved> => ({ type: 'MovementRemoved', version: 1, data }),
  // Nobody has heard of it.
  MovementForestalled: 'private',
};

function shown(data: LoggedMovement, texts: MovementTexts): PublicEventOf<typeof movementLogged>['data'] {
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
