import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { bonusChallengeClosed, bonusChallengeOpened } from '@caravan/contracts/scoring.events';
import type { StreamKind } from '@caravan/event-store/event-store';
import type { Projection } from '@caravan/event-store/projection';
import type { PublicEvents } from '@caravan/event-store/public-events';
import { bonusChallenge } from './bonus-challenge.ts';
import type { BonusChallenge, BonusChallengeCommand, BonusChallengeEvent } from './bonus-challenge.ts';
import { wordsOf } from './strategies.ts';

export type Outcome = { readonly completedCount: number };

const publicEvents: PublicEvents<BonusChallengeEvent, Outcome> = {
  BonusChallengeOpened: ({ data }): PublicEventOf<typeof bonusChallengeOpened> => ({
    type: 'BonusChallengeOpened',
    version: 1,
    data: { ...data, ...wordsOf(data) },
  }),
  BonusChallengeClosed: ({ data }, { completedCount }): PublicEventOf<typeof bonusChallengeClosed> => ({
    type: 'BonusChallengeClosed',
    version: 1,
    data: { ...data, completedCount },
  }),
};

const projection: Projection<BonusChallengeEvent> = {
  name: 'bonus-challenges',
  revision: 1,
  tables: ['bonus_challenges'],
  on: {
    BonusChallengeOpened: ({ orgId, data }) => {
      const { title, description } = wordsOf(data);
      return [
        {
          text: `insert into bonus_challenges (org_id, challenge_id, strategy, title, description, activity_type,
              target_duration_minutes, multiplier, opened_at, expires_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          values: [
            ...[orgId, data.challengeId, data.strategy, title, description, data.activityType],
            ...[data.targetDurationMinutes, data.multiplier, data.openedAt, data.expiresAt],
          ],
        },
      ];
    },
    BonusChallengeClosed: ({ orgId, data }) => [
      {
        text: 'update bonus_challenges set closed_at = $3 where org_id = $1 and challenge_id = $2',
        values: [orgId, data.challengeId, data.closedAt],
      },
    ],
  },
};

export const bonusChallengeStream: StreamKind<BonusChallenge, BonusChallengeCommand, BonusChallengeEvent, Outcome> = {
  decider: bonusChallenge,
  projections: [projection],
  publicEvents,
};
