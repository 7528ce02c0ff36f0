import type { Projection } from '@caravan/event-store/core/projection';
import type { BonusChallengeEvent } from './bonus-challenge.ts';
import { wordsOf } from './strategies.ts';

export const bonusChallengesProjection: Projection<BonusChallengeEvent> = {
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
