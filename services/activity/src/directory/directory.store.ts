import type { Tx } from '@caravan/event-store/core/event-store';

type MemberRef = { readonly orgId: string; readonly userId: string };
type NewMember = MemberRef & { readonly teamId: string; readonly timeZone: string };
type Profile = { readonly timeZone: string; readonly photoId: string | null };

export async function storeMember(tx: Tx, { orgId, userId, teamId, timeZone }: NewMember): Promise<void> {
  await tx.query(
    `insert into members (org_id, user_id, team_id, time_zone) values ($1, $2, $3, $4)
       on conflict (org_id, user_id) do nothing`,
    [orgId, userId, teamId, timeZone],
  );
}

export async function moveMember(tx: Tx, { orgId, userId }: MemberRef, teamId: string): Promise<void> {
  await tx.query('update members set team_id = $3 where org_id = $1 and user_id = $2', [orgId, userId, teamId]);
}

export async function storeProfile(tx: Tx, { orgId, userId }: MemberRef, profile: Profile): Promise<void> {
  await tx.query('update members set time_zone = $3, photo_id = $4 where org_id = $1 and user_id = $2', [
    orgId,
    userId,
    profile.timeZone,
    profile.photoId,
  ]);
}

/** Removes typed text and photos; ids and numbers of the logs stay. */
export async function forgetMember(tx: Tx, { orgId, userId }: MemberRef): Promise<void> {
  // The lock waits for a log under way, so that its texts go too; later logs find no member.
  await tx.query('select es.lock_keys($1)', [[userId]]);
  await Promise.all([
    tx.query('delete from members where org_id = $1 and user_id = $2', [orgId, userId]),
    tx.query('delete from movement_texts where org_id = $1 and user_id = $2', [orgId, userId]),
    tx.query('delete from frequent_activities where org_id = $1 and user_id = $2', [orgId, userId]),
    tx.query('delete from es.requests where org_id = $1 and owner = $2', [orgId, userId]),
    tx.query(discardFilesSql('and user_id = $2'), [orgId, userId]),
  ]);
}

/** Removes whatever else than ids and numbers an organisation left. */
export async function forgetOrganisation(tx: Tx, orgId: string): Promise<void> {
  await tx.query(discardFilesSql(''), [orgId]);
  await Promise.all(
    ['members', 'movement_texts', 'frequent_activities', 'bonus_windows', 'es.requests'].map((table) =>
      tx.query(`delete from ${table} where org_id = $1`, [orgId]),
    ),
  );
}

/** The clean-up removes their objects, and then their rows, within a minute. */
const discardFilesSql = (whose: '' | 'and user_id = $2') => `
  with discarded as (
    update uploads set discarded_at = now() where org_id = $1 ${whose} and discarded_at is null
  )
  update photos set discarded_at = now(), alt = null, log_id = null where org_id = $1 ${whose} and discarded_at is null`;
