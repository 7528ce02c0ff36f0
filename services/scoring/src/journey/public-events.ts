import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { checkpointReached } from '@caravan/contracts/events/scoring.events';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import { auditedAct } from '@caravan/service-kit/telemetry/audited';
import type { JourneyEvent } from './journey.ts';
import { routeOfId } from './position.ts';

export type Contributors = ReadonlyMap<string, readonly string[]>;

export const journeyPublicEvents: PublicEvents<JourneyEvent, Contributors> = {
  JourneyStarted: 'private',
  CheckpointReached: ({ data }, contributors): PublicEventOf<typeof checkpointReached> => {
    const { journeyId, routeId, teamId, reachedAt } = data;
    const route = routeOfId(routeId);
    const stop = route?.checkpoints[data.checkpoint];
    return {
      type: 'CheckpointReached',
      version: 1,
      data: {
        journeyId,
        routeId,
        teamId,
        reachedAt,
        routeName: route?.name ?? routeId,
        checkpointName: stop?.name ?? '',
        mileMark: stop?.mileMark ?? 0,
        isLast: data.checkpoint + 1 === route?.checkpoints.length,
        contributors: [...(contributors.get(teamId) ?? [])],
      },
    };
  },
};

export const journeyStartAudited = (routeName: string) => auditedAct('journey.started', { text: routeName });
