import { forgottenActivityName } from '@caravan/contracts/activities';
import type { Tx } from '@caravan/event-store/event-store';
import type { Recorded } from '@caravan/event-store/projection';
import { type PublicHistory, publicHistory } from '@caravan/event-store/public-history';
import type { MovementEvent } from './logging/movement.ts';
import { movementStream } from './logging/movement.service.ts';
import type { MovementTexts } from './logging/public-events.ts';

/** What this service publishes again for read models elsewhere: all that it records, with the texts that are left. */
export const history: readonly PublicHistory[] = [publicHistory(movementStream, textsOf)];

async function textsOf(tx: Tx, events: readonly Recorded<MovementEvent>[]): Promise<MovementTexts[]> {
  const { rows } = await tx.query<MovementTexts & { logId: string }>(
    `select log_id as "logId", activity_type as "activityType", caption, location
     from movement_texts where (org_id, log_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.logId)],
  );
  const found = new Map(rows.map(({ logId, ...texts }) => [logId, texts]));
  return events.map(
    ({ data }) => found.get(data.logId) ?? { activityType: nameIn(data), caption: null, location: null },
  );
}

/** The product's own name for an activity; what a member called it has gone with the member. */
function nameIn(data: MovementEvent['data']): string {
  return 'activity' in data && data.activity !== 'custom' ? data.activity : forgottenActivityName;
}
