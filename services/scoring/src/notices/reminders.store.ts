import type { Tx } from '@caravan/event-store/core/event-store';
import { type FactOfMany, publishTogether } from '@caravan/event-store/core/publish-together';
import type { Reminder } from './reminders.ts';

type When = { readonly orgId: string; readonly at: Date };

// Whoever is erased or deactivated meanwhile is not told.
const tellSql = `
  insert into sent_reminders (org_id, user_id, kind, told_on, told_at)
  select $1, r.user_id, r.kind, r.told_on, $2
  from json_to_recordset($3) as r (user_id uuid, kind text, told_on date)
  join members m on m.org_id = $1 and m.user_id = r.user_id and m.is_active and not m.is_erased
  order by 2, 3, 4 on conflict do nothing
  returning user_id, kind`;

/** Notes that they are told and answers the facts to publish: of those that were told before, none. At most one of a kind and person. */
export async function noteReminders(
  tx: Tx,
  { orgId, at }: When,
  reminders: readonly Reminder[],
): Promise<FactOfMany[]> {
  if (reminders.length === 0) return [];
  const rows = reminders.map(({ userId, kind, on }) => ({ user_id: userId, kind, told_on: on }));
  const told = await tx.query<{ userId: string; kind: string }>(tellSql, [orgId, at, JSON.stringify(rows)]);
  const isNew = new Set(told.rows.map(({ userId, kind }) => `${userId} ${kind}`));
  return reminders
    .filter(({ userId, kind }) => isNew.has(`${userId} ${kind}`))
    .map(({ userId, event }) => ({ ...event, isKept: false, orgId, key: userId, at }));
}

/** Row and fact, or neither. At most 500. */
export async function tellReminders(tx: Tx, when: When, reminders: readonly Reminder[]): Promise<void> {
  await publishTogether(tx, await noteReminders(tx, when, reminders));
}

export async function forgetNoticesOf(tx: Tx, { orgId, userId }: { orgId: string; userId: string }): Promise<void> {
  const whose = [orgId, userId];
  await tx.query('delete from sent_reminders where org_id = $1 and user_id = $2', whose);
  await tx.query('delete from reached_challenges where org_id = $1 and user_id = $2', whose);
}
