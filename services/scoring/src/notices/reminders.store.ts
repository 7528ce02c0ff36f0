import type { Tx } from '@caravan/event-store/core/event-store';
import { type FactOfMany, publishTogether } from '@caravan/event-store/core/publish-together';
import type { Reminder } from './reminders.ts';

type When = { readonly orgId: string; readonly at: Date };

// Members erased or deactivated meanwhile get no reminder.
const insertSql = `
  insert into sent_reminders (org_id, user_id, kind, sent_on, sent_at)
  select $1, r.user_id, r.kind, r.sent_on, $2
  from json_to_recordset($3) as r (user_id uuid, kind text, sent_on date)
  join members m on m.org_id = $1 and m.user_id = r.user_id and m.is_active and not m.is_erased
  order by 2, 3, 4 on conflict do nothing
  returning user_id, kind`;

/** Records the reminders and returns the events of the new ones; at most one of a kind for a member. */
export async function recordReminders(
  tx: Tx,
  { orgId, at }: When,
  reminders: readonly Reminder[],
): Promise<FactOfMany[]> {
  if (reminders.length === 0) return [];
  const rows = reminders.map(({ userId, kind, on }) => ({ user_id: userId, kind, sent_on: on }));
  const inserted = await tx.query<{ userId: string; kind: string }>(insertSql, [orgId, at, JSON.stringify(rows)]);
  const isNew = new Set(inserted.rows.map(({ userId, kind }) => `${userId} ${kind}`));
  return reminders
    .filter(({ userId, kind }) => isNew.has(`${userId} ${kind}`))
    .map(({ userId, event }) => ({ ...event, isKept: false, orgId, key: userId, at }));
}

/** Stores rows and publishes events in one transaction; at most 500. */
export async function sendReminders(tx: Tx, when: When, reminders: readonly Reminder[]): Promise<void> {
  await publishTogether(tx, await recordReminders(tx, when, reminders));
}

export async function forgetNoticesOf(tx: Tx, { orgId, userId }: { orgId: string; userId: string }): Promise<void> {
  const whose = [orgId, userId];
  await tx.query('delete from sent_reminders where org_id = $1 and user_id = $2', whose);
  await tx.query('delete from reached_challenges where org_id = $1 and user_id = $2', whose);
}
