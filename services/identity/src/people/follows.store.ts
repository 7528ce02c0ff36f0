import type { Caller } from '@caravan/auth/claims';
import type { FollowAnswer } from '@caravan/contracts/http/people';
import type { Tx } from '@caravan/event-store/event-store';
import { withTenant } from '@caravan/event-store/postgres';
import type { Pool } from '@caravan/service-kit/pool';
import { Invalid } from '@caravan/service-kit/problem';
import { followerCount, isSeen, notSeen } from './profile.query.ts';

/** Repeating changes nothing (D46). Throws `Rejected` for oneself and for the unseen. */
export function follow(pool: Pool, { orgId, userId, at }: Caller, followeeId: string): Promise<FollowAnswer> {
  if (followeeId === userId)
    throw new Invalid([{ path: 'id', message: 'You cannot follow yourself' }], 'people/oneself');
  return withTenant(pool, orgId, async (tx) => {
    await assertSeen(tx, orgId, followeeId);
    await tx.query(
      `insert into follows (org_id, follower_id, followee_id, followed_at) values ($1, $2, $3, $4)
        on conflict do nothing`,
      [orgId, userId, followeeId, at],
    );
    return { isFollowing: true, followerCount: await followersOf(tx, orgId, followeeId) };
  });
}

export function unfollow(pool: Pool, { orgId, userId }: Caller, followeeId: string): Promise<FollowAnswer> {
  return withTenant(pool, orgId, async (tx) => {
    await assertSeen(tx, orgId, followeeId);
    await tx.query('delete from follows where org_id = $1 and follower_id = $2 and followee_id = $3', [
      orgId,
      userId,
      followeeId,
    ]);
    return { isFollowing: false, followerCount: await followersOf(tx, orgId, followeeId) };
  });
}

/** Nobody can be erased between the look and the write. */
async function assertSeen(tx: Tx, orgId: string, userId: string): Promise<void> {
  const { rowCount } = await tx.query(
    `select from persons p join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
      where p.org_id = $1 and p.user_id = $2 and ${isSeen} for key share of p`,
    [orgId, userId],
  );
  if (rowCount === 0) throw notSeen();
}

async function followersOf(tx: Tx, orgId: string, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(`select ${followerCount} as count`, [orgId, userId]);
  return rows[0]?.count ?? 0;
}
