import type { Projection } from '@caravan/event-store/projection';
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
  },
};
