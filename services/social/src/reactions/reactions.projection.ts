import type { Projection } from '@caravan/event-store/core/projection';
import type { ReactionEvent } from './reaction.ts';

const rows = `select r.org_id, r.log_id, r.user_id, r.emoji, r.given_at from json_to_recordset($1)
  as r (org_id uuid, log_id uuid, user_id uuid, emoji text, given_at timestamptz)`;

const givenSql = `
  with given as (
    insert into reactions (org_id, log_id, user_id, emoji, given_at) ${rows}
    on conflict do nothing returning org_id, log_id, emoji
  )
  insert into reaction_counts as c (org_id, log_id, emoji, count)
  select org_id, log_id, emoji, count(*) from given group by 1, 2, 3 order by 1, 2, 3
  on conflict (org_id, log_id, emoji) do update set count = c.count + excluded.count`;

const takenBackSql = `
  with gone as (
    delete from reactions r using (${rows}) t
    where r.org_id = t.org_id and r.log_id = t.log_id and r.user_id = t.user_id and r.emoji = t.emoji
    returning r.org_id, r.log_id, r.emoji
  )
  update reaction_counts c set count = c.count - g.count
  from (select org_id, log_id, emoji, count(*) from gone group by 1, 2, 3) g
  where c.org_id = g.org_id and c.log_id = g.log_id and c.emoji = g.emoji`;

/** Ids only, so they stay as the posts do when a member is erased. */
export const reactionsProjection: Projection<ReactionEvent> = {
  name: 'reactions',
  revision: 1,
  tables: ['reactions', 'reaction_counts'],
  on: {
    ReactionGiven: ({ orgId, data }) => [{ text: givenSql, rows: [rowOf(orgId, data, data.givenAt)] }],
    ReactionTakenBack: ({ orgId, data }) => [{ text: takenBackSql, rows: [rowOf(orgId, data, null)] }],
  },
};

const rowOf = (orgId: string, { logId, userId, emoji }: ReactionEvent['data'], givenAt: string | null) => ({
  org_id: orgId,
  log_id: logId,
  user_id: userId,
  emoji,
  given_at: givenAt,
});
