import type { Projection, Statement } from '@caravan/event-store/projection';
import type { MovementEvent } from './movement.ts';

/** Which log of a member completes a bonus challenge. */
export const bonusUsesProjection: Projection<MovementEvent> = {
  name: 'bonus-uses',
  revision: 1,
  tables: ['bonus_uses'],
  on: {
    MovementLogged: ({ orgId, data: { bonus, userId, logId } }) =>
      bonus
        ? [
            {
              text: `insert into bonus_uses (org_id, challenge_id, user_id, log_id) values ($1, $2, $3, $4)
                on conflict (org_id, challenge_id, user_id) do nothing`,
              values: [orgId, bonus.challengeId, userId, logId],
            },
          ]
        : [],
    // A log that is corrected to something else, or taken back, gives the completion back.
    MovementCorrected: ({ orgId, data: { bonus, logId } }) => (bonus ? [] : [givenBack(orgId, logId)]),
    MovementRemoved: ({ orgId, data: { logId } }) => [givenBack(orgId, logId)],
  },
  inBulk: {
    MovementLogged: [
      `insert into bonus_uses (org_id, challenge_id, user_id, log_id)
       select org_id, (data->'bonus'->>'challengeId')::uuid, (data->>'userId')::uuid, (data->>'logId')::uuid
       from stretch where data ? 'bonus' order by pos
       on conflict (org_id, challenge_id, user_id) do nothing`,
    ],
  },
};

const givenBack = (orgId: string, logId: string): Statement => ({
  text: 'delete from bonus_uses where org_id = $1 and log_id = $2',
  values: [orgId, logId],
});
