import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { bonusChallengeClosed, bonusChallengeOpened } from '@caravan/contracts/events/scoring.events';
import type { StreamKind } from '@caravan/event-store/core/event-store';
import type { Projection } from '@caravan/event-store/core/projection';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
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
      const row = {
        org_id: orgId,
        challenge_id: data.challengeId,
        strategy: data.strategy,
        title,
        description,
        activity_type: data.activityType,
        target_duration_minutes: data.targetDurationMinutes,
        multiplier: data.multiplier,
        opened_at: data.openedAt,
        expires_at: data.expiresAt,
      };
      return [{ text: openedSql, rows: [row] }];
    },
    BonusChallengeClosed: ({ orgId, data }) => [
      { text: closedSql, rows: [{ org_id: orgId, challenge_id: data.challengeId, closed_at: data.closedAt }] },
    ],
  },
};

const openedSql = `
  insert into bonus_challenges (org_id, challenge_id, strategy, title, description, activity_type,
    target_duration_minutes, multiplier, opened_at, expires_at)
  select * from json_to_recordset($1) as c (org_id uuid, challenge_id uuid, strategy text, title text, description text,
    activity_type text, target_duration_minutes integer, multiplier numeric, opened_at timestamptz,
    expires_at timestamptz)`;

const closedSql = `
  update bonus_challenges b set closed_at = c.closed_at
  from json_to_recordset($1) as c (org_id uuid, challenge_id uuid, closed_at timestamptz)
  where b.org_id = c.org_id and b.challenge_id = c.challenge_id`;

export const bonusChallengeStream: StreamKind<BonusChallenge, BonusChallengeCommand, BonusChallengeEvent, Outcome> = {
  decider: bonusChallenge,
  projections: [projection],
  publicEvents,
};
