import type { PersonUnit } from '@caravan/event-store/event-store';
import { figuresWithMiles } from './ledger-stream.ts';
import type { FiguresAfter } from './ledger/public-events.ts';
import { memberSnapshotOf } from './ledger/member-snapshot.query.ts';

/** The figures of the unit's member once miles that no log earned are in: their days stay as they are. */
export async function figuresWithBonus({ tx, meta }: PersonUnit, centimiles: number): Promise<FiguresAfter> {
  return figuresWithMiles(await memberSnapshotOf(tx, { orgId: meta.orgId, userId: meta.key.id }), centimiles);
}
