import type { PersonUnit } from '@caravan/event-store/event-store';
import { standingWithMiles } from './ledger-stream.ts';
import type { StandingAfter } from './ledger/public-events.ts';
import { standingOf } from './ledger/standing.query.ts';

/** Where the unit's member stands once miles that no log earned are in: their days stay as they are. */
export async function standingWithBonus({ tx, meta }: PersonUnit, centimiles: number): Promise<StandingAfter> {
  return standingWithMiles(await standingOf(tx, { orgId: meta.orgId, userId: meta.key.id }), centimiles);
}
