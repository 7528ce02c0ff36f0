import type { LogRequest } from '@caravan/contracts/http/movement';
import type { PersonUnit, Tx } from '@caravan/event-store/core/event-store';
import { z } from 'zod';
import { evaluate } from './bonus.ts';
import type { BonusEvaluation, Window } from './bonus.ts';

const idSchema = z.uuid();

type NamedBonus = Pick<LogRequest, 'bonusChallengeId' | 'activityType' | 'durationMinutes'>;

/** By D15. Call under the member's lock. */
export async function evaluateBonus(
  { tx, meta }: PersonUnit,
  { bonusChallengeId, activityType, durationMinutes }: NamedBonus,
): Promise<BonusEvaluation> {
  const id = idSchema.safeParse(bonusChallengeId);
  const window = id.success
    ? await windowOf(tx, { orgId: meta.orgId, userId: meta.key.id, challengeId: id.data })
    : undefined;
  return evaluate(window, { activityType, durationMinutes }, meta.at);
}

async function windowOf(
  tx: Tx,
  { orgId, userId, challengeId }: { orgId: string; userId: string; challengeId: string },
): Promise<Window | undefined> {
  const { rows } = await tx.query<Window>(
    `select w.challenge_id, w.activity_type, w.multiplier::float as multiplier,
       w.target_duration_minutes, w.opened_at, w.expires_at,
       w.closed_at, u.log_id is not null as is_completed
     from bonus_windows w
     left join bonus_uses u on u.org_id = w.org_id and u.challenge_id = w.challenge_id and u.user_id = $3
     where w.org_id = $1 and w.challenge_id = $2`,
    [orgId, challengeId, userId],
  );
  return rows[0];
}
