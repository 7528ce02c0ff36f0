import type { Tx } from '@caravan/event-store/core/event-store';

export async function removeClaimReview(tx: Tx, orgId: string, entryId: string): Promise<void> {
  await tx.query('delete from pending_claim_reviews where org_id = $1 and entry_id = $2', [orgId, entryId]);
}
