import type { Tx } from '@caravan/event-store/core/event-store';

type Completion = {
  readonly orgId: string;
  readonly challengeId: string;
  readonly userId: string;
  readonly logId: string;
  readonly at: Date;
};

/** False when it was known. */
export async function storeCompletion(tx: Tx, { orgId, challengeId, userId, logId, at }: Completion): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into bonus_completions (org_id, challenge_id, user_id, log_id, completed_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [orgId, challengeId, userId, logId, at],
  );
  return rowCount !== 0;
}

/** False when the log completed nothing. */
export async function removeCompletion(tx: Tx, orgId: string, logId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from bonus_completions where org_id = $1 and log_id = $2', [
    orgId,
    logId,
  ]);
  return rowCount !== 0;
}
