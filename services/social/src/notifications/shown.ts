import { isNamedInNoticeSql } from '@caravan/service-kit/http/named-in-notices';

// What a receiver may see of a notice `n`, as SQL: read with what it speaks of, so that it never outlives that (D18).

const entryId = `(case when n.kind in ('reaction', 'comment', 'mention') then n.subject end)::uuid`;

/** Of the comment's entry: one's own, or one that others may see. */
const isEntryShownSql = `(exists (
    select from posts p where p.org_id = n.org_id and p.log_id = ${entryId} and (p.user_id = n.user_id
      or (p.audience <> 'owner' and exists (select from members o
        where o.org_id = n.org_id and o.user_id = p.user_id and o.activity_visible))))
  or exists (select from checkpoint_entries c where c.org_id = n.org_id and c.entry_id = ${entryId}))`;

const isActor = (condition: string) => `exists (
    select from members b where b.org_id = n.org_id and b.user_id = i.actor_id and not b.is_erased and ${condition})`;

/** Of an item `i` of the notice: what it tells is still so, and the receiver may know. */
export const isItemShownSql = `(not i.is_withdrawn and case
  when n.kind = 'reaction' then exists (
      select from reactions r where r.org_id = n.org_id and r.log_id = ${entryId} and r.user_id = i.actor_id)
    and ${isEntryShownSql}
  when n.kind in ('comment', 'mention') then exists (
      select from comments k where k.org_id = n.org_id and k.comment_id = (i.facts ->> 'commentId')::uuid
        and k.hidden_at is null)
    and ${isActor(isNamedInNoticeSql('n.kind', { person: 'b', membership: 'b' }))} and ${isEntryShownSql}
  when n.kind = 'follower' then ${isActor(isNamedInNoticeSql('n.kind', { person: 'b', membership: 'b' }))}
  when n.kind = 'invite-used' then ${isActor('true')} and exists (
    select from members m where m.org_id = n.org_id and m.user_id = n.user_id and m.role = 'admin')
  when n.kind in ('ballot-opened', 'ballot-ending', 'ballot-decided') then exists (
    select from ballots d join members m on m.org_id = d.org_id and m.team_id = d.team_id and m.user_id = n.user_id
    where d.org_id = n.org_id and d.ballot_id = (case when n.kind like 'ballot-%' then n.subject end)::uuid)
  else true end)`;

/** With the columns of `Notice` for `n`; `count` is 0 when nothing of it is shown. */
export const noticeColumns = `
  n.notice_id as id, n.kind, n.subject, n.raised_at, n.read_at is not null as is_read, s.count, s.people,
  s.actor_id, coalesce(s.facts, '{}') as facts,
  array_remove(s.titles, null) as titles, p.activity_type, t.name as team_name,
  e.entry_id,
  case when a.is_erased or ${isNamedInNoticeSql('n.kind', { person: 'a', membership: 'a' })} then a.name end as name`;

export const noticeTables = `notices n
  cross join lateral (
    select count(*)::int as count, count(distinct i.actor_id)::int as people,
      (array_agg(i.actor_id order by i.happened_at desc, i.item_id))[1] as actor_id,
      (array_agg(i.facts order by i.happened_at desc, i.item_id))[1] as facts,
      (array_agg(i.facts ->> 'title' order by i.happened_at desc, i.item_id))[1:3] as titles
    from notice_items i where i.org_id = n.org_id and i.notice_id = n.notice_id and ${isItemShownSql}) s
  cross join lateral (
    -- Once for each notice: a cast in the join itself may not look into an index behind row-level security.
    select ${entryId} as entry_id,
      (case n.kind when 'team-changed' then n.subject when 'checkpoint' then s.facts ->> 'teamId' end)::uuid as team_id,
      (case n.kind when 'checkpoint' then s.facts ->> 'entryId' end)::uuid as checkpoint_id
    offset 0) about
  -- Looked up one by one: a plan made for a small organisation would read all of a large one.
  left join lateral (select * from members where org_id = n.org_id and user_id = s.actor_id offset 0) a on true
  left join lateral (select * from posts where org_id = n.org_id and log_id = about.entry_id offset 0) p on true
  left join lateral (select * from teams where org_id = n.org_id and team_id = about.team_id offset 0) t on true
  left join lateral (
    select * from checkpoint_entries where org_id = n.org_id and entry_id = about.checkpoint_id offset 0) e on true`;
