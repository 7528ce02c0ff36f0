import { reactionEmojiSchema, instantSchema } from '@caravan/contracts/events/fields';
import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { Reaction } from '@caravan/contracts/http/feed';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import type { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { z } from 'zod';
import { authorOfPost, faceOf } from '../feed/index.ts';

const latestFirstKey = z.tuple([instantSchema, z.uuid(), reactionEmojiSchema]);
/** The first page is read like any other. */
const beforeAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', ''];

type Row = {
  readonly emoji: ReactionEmoji;
  readonly givenAt: Date;
  readonly userId: string;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly profileId: string | null;
};

// Who hides activity reacts as a teammate (D18): the count tells as much.
const pageSql = `
  select r.emoji, r.given_at, r.user_id,
    case when m.activity_visible or m.user_id = $2 or m.is_erased then m.name end as name,
    case when m.activity_visible or m.user_id = $2 then m.photo_url end as avatar,
    case when m.user_id = $2 or (m.activity_visible and m.profile_visible and not m.is_erased) then m.user_id end
      as profile_id
  from reactions r left join members m on m.org_id = r.org_id and m.user_id = r.user_id
  where r.org_id = $1 and r.log_id = $3 and (r.given_at, r.user_id, r.emoji collate "C") < ($4, $5, $6)
  order by r.given_at desc, r.user_id desc, r.emoji collate "C" desc limit $7`;

type Sources = { readonly pool: Pool; readonly cursors: Cursors; readonly addresses: PhotoAddresses };

/** Reactions to a post, the latest first. Throws `Rejected` for a post that the reader may not see. */
export function pageOfReactions(
  { pool, cursors, addresses }: Sources,
  reader: { readonly orgId: string; readonly userId: string; readonly at: Date },
  logId: string,
  { limit, cursor }: PageQuery,
): Promise<{ reactions: Reaction[]; nextCursor: Cursor | undefined }> {
  const pages = cursors.of({ operation: 'listReactions', reader, parentId: logId }, latestFirstKey);
  const before = pages.after(cursor) ?? beforeAll;
  return withTenant(pool, reader.orgId, async (tx) => {
    await authorOfPost(tx, reader, logId);
    const values = [reader.orgId, reader.userId, logId, ...before, limit + 1];
    const { rows } = await tx.query<Row>(pageSql, values);
    const page = pages.cut(rows, limit, ({ givenAt, userId, emoji }) => [givenAt.toISOString(), userId, emoji]);
    const signing = { addresses, orgId: reader.orgId, at: reader.at };
    const reactions = page.rows.map(({ emoji, name, avatar, profileId }) => ({
      emoji,
      user: { name: name ?? hiddenMemberName, avatar: faceOf(avatar, signing), profileId },
    }));
    return { reactions, nextCursor: page.nextCursor };
  });
}
