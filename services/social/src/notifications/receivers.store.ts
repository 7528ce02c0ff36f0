import type { NotificationKind } from '@caravan/contracts/notification-kinds';
import type { PersonUnit, Tx } from '@caravan/event-store/event-store';

type Whose = { readonly orgId: string; readonly userId: string };

export async function storeMutes({ tx, meta }: PersonUnit, kinds: readonly NotificationKind[]): Promise<void> {
  await tx.query(
    `insert into notice_mutes (org_id, user_id, kinds) values ($1, $2, $3)
         on conflict (org_id, user_id) do update set kinds = excluded.kinds`,
    [meta.orgId, meta.key.id, kinds],
  );
}

/** Notices about a member, and those that the posts of a member were the reason for. */
const touchOfMemberSql = `
  update notices n set is_untold = true
  where n.org_id = $1 and n.read_at is null and (
    n.notice_id in (select i.notice_id from notice_items i where i.org_id = $1 and i.actor_id = $2)
    or n.subject in (select p.log_id::text from posts p where p.org_id = $1 and p.user_id = $2))`;

export async function touchNoticesAbout(tx: Tx, { orgId, userId }: Whose): Promise<void> {
  await tx.query(touchOfMemberSql, [orgId, userId]);
}

const forgetReceiverSql = `
  delete from notices where org_id = $1 and ($2::uuid is null or user_id = $2) and raised_at <= $3`;

/** Members who were deactivated keep their choice; erased ones lose it. */
const forgetMutesSql = `
  delete from notice_mutes u where u.org_id = $1 and ($2::uuid is null or (u.user_id = $2 and exists (
    select from members m where m.org_id = $1 and m.user_id = $2 and m.is_erased)))`;

/** @param left `userId`: null for all members of a closed organisation */
export async function forgetReceiver(
  tx: Tx,
  { orgId, userId, at }: { readonly orgId: string; readonly userId: string | null; readonly at: string },
): Promise<void> {
  await tx.query(forgetReceiverSql, [orgId, userId, at]);
  await tx.query(forgetMutesSql, [orgId, userId]);
}

const forgottenAtOnce = 5_000;

/** False when there may be more. */
export async function forgetNoticesBefore(tx: Tx, before: Date): Promise<boolean> {
  const sql = `delete from notices where ctid = any(array(
      select ctid from notices where raised_at < $1 order by raised_at limit ${forgottenAtOnce}))`;
  const { rowCount } = await tx.query(sql, [before]);
  return rowCount !== forgottenAtOnce;
}
