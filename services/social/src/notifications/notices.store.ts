import { mutedByDefault, type NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import type { PersonUnit, Tx } from '@caravan/event-store/core/event-store';
import type { NoticeFacts } from './notice.ts';

type Raised = {
  readonly is: 'raised';
  readonly orgId: string;
  readonly to: { readonly userId: string } | { readonly teamId: string } | 'admins' | 'everybody';
  readonly kind: NotificationKind;
  readonly subject: string;
  /** What is told of the subject: told twice it is one item. */
  readonly item: string;
  /** Nobody is told of their own doing. */
  readonly actorId?: string | null;
  readonly facts?: NoticeFacts;
  readonly at: string;
  readonly expiresAt?: string | null;
};

type Withdrawn = {
  readonly is: 'withdrawn';
  readonly orgId: string;
  readonly kinds: readonly NotificationKind[];
  readonly subject: string;
  readonly userId?: string;
  readonly item?: string;
  /** Of mentions: who is still mentioned by this comment. */
  readonly commentId?: string;
  readonly butUserIds?: readonly string[];
};

/** What a notice's items speak of has changed: how it stands is told again. */
type Touched = { readonly is: 'touched'; readonly orgId: string; readonly subject: string };

export type NoticeChange = Raised | Withdrawn | Touched;

/** Whoever hears of a fact later, as after a rebuild or long away, is told nothing. */
const newsDays = 7;

const itemId = (user: string) => `uuid_of(concat_ws(' ', r.org_id, ${user}, r.kind, r.subject, r.item))`;

const receivedSql = `
  with told as materialized (
    select * from json_to_recordset($1) as r (org_id uuid, user_id uuid, team_id uuid, role text, kind text, subject text,
      item text, actor_id uuid, facts jsonb, at timestamptz, expires_at timestamptz)
    where r.at > now() - interval '${newsDays} days'
  ), sent as (
    -- Whoever is not known here yet has just joined.
    select r.*, r.user_id as receiver_id from told r
    where r.user_id is not null and not exists (
      select from members m where m.org_id = r.org_id and m.user_id = r.user_id and not m.is_active)
    union all
    select r.*, m.user_id from told r join members m on m.org_id = r.org_id and m.team_id = r.team_id and m.is_active
    union all
    select r.*, m.user_id from told r join members m on m.org_id = r.org_id and m.is_active
    where r.user_id is null and r.team_id is null and m.role = coalesce(r.role, m.role)
  ), received as materialized (
    select r.org_id, r.receiver_id, r.kind, r.subject, r.actor_id, r.facts, r.at, r.expires_at,
      ${itemId('r.receiver_id')} as item_id
    from sent r left join notice_mutes u on u.org_id = r.org_id and u.user_id = r.receiver_id
    where r.receiver_id is distinct from r.actor_id and r.kind <> all(coalesce(u.kinds, $2::text[]))
  )`;

/** What was gone and is so again: whoever has read of it then is not told anew. */
const reviveSql = `${receivedSql}, back as (
    update notice_items i set is_withdrawn = false from received r
    where i.org_id = r.org_id and i.item_id = r.item_id and i.is_withdrawn returning i.org_id, i.notice_id
  )
  update notices n set is_unpublished = true from (select distinct * from back) b
  where n.org_id = b.org_id and n.notice_id = b.notice_id`;

const raiseSql = `${receivedSql}, fresh as materialized (
    select distinct on (r.org_id, r.item_id) r.* from received r
    where not exists (select from notice_items i where i.org_id = r.org_id and i.item_id = r.item_id)
    order by r.org_id, r.item_id, r.at
  ), open as (
    insert into notices as n (org_id, notice_id, user_id, kind, subject, raised_at, expires_at)
    select org_id, uuid_of((array_agg(item_id || ' ' || at order by at))[1]), receiver_id, kind, subject, max(at),
      max(expires_at)
    from fresh group by org_id, receiver_id, kind, subject order by org_id, receiver_id, kind, subject
    on conflict (org_id, user_id, kind, subject) where read_at is null do update
      set is_unpublished = true, raised_at = greatest(n.raised_at, excluded.raised_at), expires_at = excluded.expires_at
    returning org_id, notice_id, user_id, kind, subject
  )
  insert into notice_items (org_id, item_id, notice_id, actor_id, facts, happened_at)
  select f.org_id, f.item_id, o.notice_id, f.actor_id, f.facts, f.at
  from fresh f join open o on (o.org_id, o.user_id, o.kind, o.subject) = (f.org_id, f.receiver_id, f.kind, f.subject)
  on conflict do nothing`;

const withdrawSql = `
  with gone as (
    update notice_items i set is_withdrawn = true
    from json_to_recordset($1) as w (org_id uuid, kinds text[], subject text, user_id uuid, item text, comment_id text,
      but_user_ids uuid[])
    join notices n on n.org_id = w.org_id and n.subject = w.subject and n.kind = any(w.kinds)
      and (w.user_id is null or n.user_id = w.user_id) and n.user_id <> all(coalesce(w.but_user_ids, '{}'))
    where i.org_id = n.org_id and i.notice_id = n.notice_id and not i.is_withdrawn
      and (w.item is null or i.item_id = uuid_of(concat_ws(' ', n.org_id, n.user_id, n.kind, n.subject, w.item)))
      and (w.comment_id is null or i.facts ->> 'commentId' = w.comment_id)
    returning i.org_id, i.notice_id
  )
  update notices n set is_unpublished = true from (select distinct * from gone) g
  where n.org_id = g.org_id and n.notice_id = g.notice_id`;

const touchSql = `
  update notices n set is_unpublished = true from json_to_recordset($1) as t (org_id uuid, subject text)
  where n.org_id = t.org_id and n.subject = t.subject and n.read_at is null`;

/** Waits for erasures and newcomers under way; the statements after it see what they left. */
const lockSql = `
  with told as (select * from json_to_recordset($1) as r (org_id uuid, user_id uuid, actor_id uuid))
  select lock_posting(array(select org_id from told)), lock_joining(array(
    select p.user_id from told t, unnest(array[t.user_id, t.actor_id]) as p (user_id) where p.user_id is not null
      and not exists (select from members m where (m.org_id, m.user_id) = (t.org_id, p.user_id))))`;

const touchJoinedSql = `
  update notices n set is_unpublished = true from (
    select j.org_id, i.notice_id from unnest($1::uuid[], $2::uuid[]) as j (org_id, user_id)
      join notice_items i on (i.org_id, i.actor_id) = (j.org_id, j.user_id)
    union
    select j.org_id, o.notice_id from unnest($1::uuid[], $2::uuid[]) as j (org_id, user_id)
      join notices o on (o.org_id, o.user_id) = (j.org_id, j.user_id)
  ) as early where (n.org_id, n.notice_id) = (early.org_id, early.notice_id) and n.read_at is null`;

/** Notices by newcomers or to them that were raised before anything was known of them; answers whether there are any. */
export async function touchJoined(tx: Tx, joined: readonly { orgId: string; userId: string }[]): Promise<boolean> {
  const orgIds = joined.map(({ orgId }) => orgId);
  const userIds = joined.map(({ userId }) => userId);
  await tx.query('select lock_joining($1)', [userIds]);
  const { rowCount } = await tx.query(touchJoinedSql, [orgIds, userIds]);
  return rowCount !== null && rowCount > 0;
}

/** By one statement for all of a kind of change, however many receive it. Whoever tells others follows (`AnnounceNotices`). */
export async function writeNotices(tx: Tx, all: readonly NoticeChange[]): Promise<void> {
  const changes = lastOfEach(all);
  const raised = changes.filter((change) => change.is === 'raised');
  const withdrawn = changes.filter((change) => change.is === 'withdrawn');
  const touched = changes.filter((change) => change.is === 'touched');
  const told = JSON.stringify(raised.map(rowOf));
  if (raised.length > 0) await tx.query(lockSql, [told]);
  if (raised.length > 0) for (const sql of [reviveSql, raiseSql]) await tx.query(sql, [told, mutedByDefault]);
  if (withdrawn.length > 0) await tx.query(withdrawSql, [JSON.stringify(withdrawn.map(withdrawalOf))]);
  if (touched.length > 0)
    await tx.query(touchSql, [JSON.stringify(touched.map(({ orgId, subject }) => ({ org_id: orgId, subject })))]);
}

const publishedSql = `
  update notices n set is_unpublished = false, published_count = t.count, highest_published_count = greatest(n.highest_published_count, t.count),
    published_text = t.text
  from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[]) as t (org_id, notice_id, count, text)
  where n.org_id = t.org_id and n.notice_id = t.notice_id`;

type Published = { readonly orgId: string; readonly id: string; readonly count: number; readonly text: string | null };

/** Stores how notices stood when they were announced last. */
export async function markPublished(tx: Tx, all: readonly Published[]): Promise<void> {
  await tx.query(publishedSql, [
    all.map(({ orgId }) => orgId),
    all.map(({ id }) => id),
    all.map(({ count }) => count),
    all.map(({ text }) => text),
  ]);
}

type Meant = { readonly ids?: readonly string[]; readonly kinds?: readonly NotificationKind[] };

/** Marks the caller's unread notices, all where nothing limits them, and answers their ids. */
export async function markRead({ tx, meta }: PersonUnit, { ids, kinds }: Meant): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update notices set read_at = $3 where org_id = $1 and user_id = $2 and read_at is null
       and ($4::uuid[] is null or notice_id = any($4)) and ($5::text[] is null or kind = any($5))
     returning notice_id as id`,
    [meta.orgId, meta.key.id, meta.at, ids ?? null, kinds ?? null],
  );
  return rows.map(({ id }) => id);
}

/** What was done and undone within a batch counts as it was left. */
function lastOfEach(all: readonly NoticeChange[]): readonly NoticeChange[] {
  const byItem = new Map<unknown, NoticeChange>();
  for (const change of all) {
    const isOfItem = change.is !== 'touched' && change.item !== undefined;
    const ofComment = change.is === 'withdrawn' && change.item === undefined ? change.commentId : undefined;
    const key = isOfItem
      ? JSON.stringify([change.orgId, kindOf(change), change.subject, change.item, receiverOf(change)])
      : (ofComment ?? change);
    byItem.delete(key);
    byItem.set(key, change);
  }
  return [...byItem.values()];
}

const kindOf = (change: Raised | Withdrawn): string => (change.is === 'raised' ? change.kind : change.kinds.join());

const receiverOf = (change: Raised | Withdrawn) => {
  if (change.is === 'withdrawn') return change.userId ?? null;
  return typeof change.to === 'object' && 'userId' in change.to ? change.to.userId : change.to;
};

function rowOf({ orgId, to, kind, subject, item, actorId, facts, at, expiresAt }: Raised): object {
  return {
    org_id: orgId,
    kind,
    subject,
    item,
    at,
    actor_id: actorId ?? null,
    facts: facts ?? {},
    expires_at: expiresAt ?? null,
    ...(to === 'admins' && { role: 'admin' }),
    ...(typeof to === 'object' && ('userId' in to ? { user_id: to.userId } : { team_id: to.teamId })),
  };
}

function withdrawalOf({ orgId, kinds, subject, userId, item, commentId, butUserIds }: Withdrawn): object {
  return {
    org_id: orgId,
    kinds,
    subject,
    user_id: userId,
    item,
    comment_id: commentId,
    but_user_ids: butUserIds,
  };
}

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
  update notices n set is_unpublished = true
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
