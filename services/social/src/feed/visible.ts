// What a reader may see, as SQL: $1 is the organisation, $2 the reader.

/**
 * Of a post `p`. Before the news of its maker a movement is the maker's only (D18), one for its owner always (D21). Look-ups: for joins the planner sorts all posts.
 */
export const isPostVisibleSql = `case
    when p.audience = 'owner' and p.user_id <> $2 then false
    when p.user_id = any(array(
      select user_id from members where org_id = $1 and not activity_visible and user_id <> $2)) then false
    when p.user_id = $2 then true
    else (select true from members a where a.org_id = $1 and a.user_id = p.user_id) is true end`;

/** Of a post by member `m`: who alone sees it; null where the organisation does. */
export const shownToSql = (post: 'p' | 'e'): string =>
  `case when ${post}.audience = 'owner' or m.activity_visible is not true then ${post}.user_id end`;

const isAuthorShownSql = `k.author_id <> all(array(
  select user_id from members where org_id = $1 and not activity_visible))`;

/** Of a comment `k`: one's own; of others what no admin hides, nor they themselves. */
export const isCommentVisibleSql = `(k.author_id = $2 or (k.hidden_at is null and ${isAuthorShownSql}))`;

/** Of a comment `k` for an admin, who also sees what was hidden. */
export const isCommentManagedSql = `(k.author_id = $2 or ${isAuthorShownSql})`;

/** How many comments below an entry its reader may see (D50). */
export const commentCountSql = (entryId: string): string => `(
  select count(*)::int from comments k
  where k.org_id = $1 and k.entry_id = ${entryId} and ${isCommentVisibleSql})`;

/** The entry with this id, when the reader may see it: whose it is (null: a team's), and whether they have left. */
export const entrySql = (entryId: string): string => `
  select p.user_id as owner_id, coalesce(m.is_erased, false) as has_left
  from posts p left join members m on m.org_id = $1 and m.user_id = p.user_id
  where p.org_id = $1 and p.log_id = ${entryId} and ${isPostVisibleSql}
  union all
  select null, false from checkpoint_entries c where c.org_id = $1 and c.entry_id = ${entryId}`;
