import { checkpointReached } from '@caravan/contracts/events/scoring.events';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { FactOfMany } from '@caravan/event-store/core/publish-together';
import type { TestMember } from './scoring-under-test.ts';

export const reactionGiven = ({ orgId, userId }: TestMember) => ({
  type: 'ReactionGiven',
  version: 1,
  orgId,
  key: userId,
  data: {
    logId: randomUUID(),
    userId,
    authorId: randomUUID(),
    emoji: '💪',
    givenAt: new Date().toISOString(),
  },
});

export const checkpointArrival = ({ orgId, teamId }: TestMember, contributors: readonly string[]): FactOfMany => ({
  type: checkpointReached.type,
  version: checkpointReached.version,
  orgId,
  key: teamId,
  at: new Date(),
  data: {
    journeyId: randomUUID(),
    routeId: 'hadrians-wall',
    routeName: 'Hadrian’s Wall',
    teamId,
    checkpointName: 'Newcastle upon Tyne',
    mileMark: 5,
    isLast: false,
    reachedAt: new Date().toISOString(),
    contributors: [...contributors],
  },
});

export const voteCast = ({ orgId, teamId, userId }: TestMember) => ({
  type: 'VoteCast',
  version: 1,
  orgId,
  key: userId,
  data: { ballotId: randomUUID(), teamId, userId, votedAt: new Date().toISOString() },
});
