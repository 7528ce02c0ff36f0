import type { Tx } from '@caravan/event-store/core/event-store';
import { type Statement, table } from '@caravan/event-store/postgres/table';
import { details, hasOwnTexts, type OwnTexts } from './texts.ts';

type OfLog = { readonly orgId: string; readonly logId: string; readonly userId: string };
type TextsOfLog = OfLog & { readonly texts: OwnTexts | null };

const key = { orgId: 'uuid', logId: 'uuid' } as const;
const movementTexts = table('movement_texts', key, { userId: 'uuid', activityType: 'text', ...details });

/** Of each log once, as it is from now on; null: it is gone. */
export async function writeTexts(tx: Tx, all: readonly TextsOfLog[]): Promise<void> {
  const kept = all.flatMap(({ texts, ...of }) => (texts && hasOwnTexts(texts) ? [{ ...of, texts }] : []));
  const gone = all.filter(({ texts }) => !texts || !hasOwnTexts(texts));
  if (gone.length > 0) await tx.query(...movementTexts.delete(gone));
  if (kept.length > 0) await tx.query(...keepTexts(kept));
}

export const keepTexts = (all: readonly (OfLog & { readonly texts: OwnTexts })[]): Statement =>
  movementTexts.store(all.map(({ texts, ...of }) => ({ ...of, ...texts })));
