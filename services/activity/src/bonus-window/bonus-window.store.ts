import type { bonusChallengeClosed, bonusChallengeOpened } from '@caravan/contracts/events/scoring.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { Tx } from '@caravan/event-store/core/event-store';

type Opened = PublicEventOf<typeof bonusChallengeOpened>['data'];
type Closed = PublicEventOf<typeof bonusChallengeClosed>['data'];

export async function storeBonusWindow(tx: Tx, orgId: string, opened: Opened): Promise<void> {
  await tx.query(
    `insert into bonus_windows (org_id, challenge_id, activity_type, target_duration_minutes, multiplier, opened_at,
         expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id, challenge_id) do nothing`,
    [
      orgId,
      opened.challengeId,
      opened.activityType,
      opened.targetDurationMinutes,
      opened.multiplier,
      opened.openedAt,
      opened.expiresAt,
    ],
  );
}

export async function closeBonusWindow(tx: Tx, orgId: string, { challengeId, closedAt }: Closed): Promise<void> {
  await tx.query('update bonus_windows set closed_at = $3 where org_id = $1 and challenge_id = $2', [
    orgId,
    challengeId,
    closedAt,
  ]);
}
