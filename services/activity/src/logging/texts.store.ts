import type { Tx } from '@caravan/event-store/core/event-store';
import { activityNameOf } from './movement.ts';
import type { MovementTexts } from './public-events.ts';

type OwnTexts = Omit<MovementTexts, 'photo'>;

/** True when the log alone could not show it. */
export function hasOwnTexts({ activityType, caption, location, heartRate, calories }: OwnTexts): boolean {
  return (
    activityNameOf(activityType) === 'custom' || [caption, location, heartRate, calories].some((it) => it !== null)
  );
}

type OfLog = { readonly orgId: string; readonly logId: string; readonly userId: string };
type TextsOfLog = OfLog & { readonly texts: OwnTexts | null };

const forgetSql = `
  delete from movement_texts t using json_to_recordset($1) as r (org_id uuid, log_id uuid)
  where t.org_id = r.org_id and t.log_id = r.log_id`;

const keepSql = `
  insert into movement_texts (org_id, log_id, user_id, activity_type, caption, location, heart_rate, calories)
  select * from json_to_recordset($1) as t (org_id uuid, log_id uuid, user_id uuid, activity_type text, caption text,
    location text, heart_rate integer, calories integer)
  on conflict (org_id, log_id) do update set activity_type = excluded.activity_type, caption = excluded.caption,
    location = excluded.location, heart_rate = excluded.heart_rate, calories = excluded.calories`;

/** Of each log once, as it is from now on; null: it is gone. */
export async function writeTexts(tx: Tx, all: readonly TextsOfLog[]): Promise<void> {
  const kept = all.flatMap(({ texts, ...of }) => (texts && hasOwnTexts(texts) ? [{ ...of, texts }] : []));
  const gone = all.filter(({ texts }) => !texts || !hasOwnTexts(texts));
  if (gone.length > 0)
    await tx.query(forgetSql, [JSON.stringify(gone.map(({ orgId, logId }) => ({ org_id: orgId, log_id: logId })))]);
  if (kept.length > 0) await tx.query(...keepTexts(kept));
}

/** A statement and its values. */
export function keepTexts(all: readonly (OfLog & { readonly texts: OwnTexts })[]): [string, [string]] {
  const rows = all.map(({ orgId, logId, userId, texts }) => {
    const { activityType, caption, location, heartRate, calories } = texts;
    const of = { org_id: orgId, log_id: logId, user_id: userId };
    return { ...of, activity_type: activityType, caption, location, heart_rate: heartRate, calories };
  });
  return [keepSql, [JSON.stringify(rows)]];
}
