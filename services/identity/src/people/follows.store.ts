import type { Caller } from '@caravan/auth/claims';
import type { FollowAnswer } from '@caravan/contracts/http/people';
import type { EventStore, Tx } from '@caravan/event-store/core/event-store';
import { Invalid } from '@caravan/kernel/problem';
import { followerCount, isSeen, notSeen } from './profile.query.ts';
import { memberFollowed, memberUnfollowed } from './public-events.ts';

/** Repeating changes nothing (D46), and tells nothing. Throws `Rejected` for oneself and for the unseen. */
export function follow(
  store: EventStore,
  { orgId, userId, at, meta }: Caller,
  followeeId: string,
): Promise<FollowAnswer> {
  if (followeeId === userId)
    throw new Invalid([{ path: 'id', message: 'You cannot follow yourself' }], 'people/oneself');
  return store.transaction(meta, async (unit) => {
    const { tx } = unit;
    await assertSeen(tx, orgId, followeeId);
    const { rowCount } = await tx.query(
      `insert into follows (org_id, follower_id, followee_id, followed_at) values ($1, $2, $3, $4)
        on conflict do nothing`,
      [orgId, userId, followeeId, at],
    );
    if (rowCount === 1) await unit.publish(memberFollowed({ followerId: userId, followedId: followeeId }, at));
    return { isFollowing: true, followerCount: await followersOf(tx, orgId, followeeId) };
  });
}

export function unfollow(
  store: EventStore,
  { orgId, userId, at, meta }: Caller,
  followeeId: string,
): Promise<FollowAnswer> {
  return store.transaction(meta, async (unit) => {
    const { tx } = unit;
    await assertSeen(tx, orgId, followeeId);
    const { rowCount } = await tx.query(
      'delete from follows where org_id = $1 and follower_id = $2 and followee_id = $3',
      [orgId, userId, followeeId],
    );
    if (rowCount === 1) await unit.publish(memberUnfollowed({ followerId: userId, followedId: followeeId }, at));
    return { isFollowing: false, followerCount: await followersOf(tx, orgId, followeeId) };
  });
}

/** The lock keeps the member from being erased between the look and the write. */
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
