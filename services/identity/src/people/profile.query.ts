import type { Caller } from '@caravan/auth/claims';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import type { PersonRow, UserProfile } from '@caravan/contracts/http/people';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import type { LogPosition } from '@caravan/contracts/events/log-position';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { freezesOn, streakOn } from '@caravan/contracts/domain/movement/streak';
import type { StreakState } from '@caravan/contracts/domain/movement/streak';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { membershipPositionSql, noteMembershipShown } from '../membership/index.ts';

/** What is kept of a member's streak (D11). */
export type StreakRow = {
  readonly runStartedOn: string | null;
  readonly runEndedOn: string | null;
  readonly streakDays: number | null;
  readonly streakFreezes: number | null;
  readonly hasFreezes: boolean;
};

/** A column of the streak as SQL: what its owner sees where `isOwn` holds, else what colleagues see (D21). */
const streakColumn = (name: string, isOwn: string): string =>
  `case when ${isOwn} and s.has_own_streak then s.own_${name} else s.${name} end`;

/** The columns of a streak, as SQL; `s` is the member's row of member_scores, $1 the organisation. */
const streakColumns = (isOwn: string): string => `${streakColumn('run_started_on', isOwn)} as run_started_on,
    ${streakColumn('run_ended_on', isOwn)} as run_ended_on, ${streakColumn('streak_days', isOwn)} as streak_days,
    ${streakColumn('streak_freezes', isOwn)} as streak_freezes,
    coalesce((select r.has_freezes from streak_rules r where r.org_id = $1), true) as has_freezes`;

/** For the member alone. */
export const ownStreakColumns = streakColumns('true');

/** Whom colleagues may know of: `p` and `m` are the person and the membership (D18). */
export const isSeen = 'p.profile_visible and m.is_active';

const memberOf = 'join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)';

const teamOf = 'join teams t on (t.org_id, t.team_id) = (m.org_id, m.team_id)';

/** How many colleagues follow, or are followed; those who hide do not count. */
const countOf = (other: string, self: string) =>
  `(select count(*) from follows f join persons p on (p.org_id, p.user_id) = (f.org_id, f.${other}) ${memberOf}
    where f.org_id = $1 and f.${self} = $2 and ${isSeen})`;

export const followerCount = countOf('follower_id', 'followee_id');

export type FollowList = 'followers' | 'following';

const endsOf = (list: FollowList): readonly [other: string, self: string] =>
  list === 'followers' ? ['follower_id', 'followee_id'] : ['followee_id', 'follower_id'];

/** The colleagues `p` in a list of member $2, as far as colleagues may know of them (D18); each with their follow `f`. */
export function seenFollowsSql(list: FollowList): string {
  const [other, self] = endsOf(list);
  return `from follows f join persons p on (p.org_id, p.user_id) = (f.org_id, f.${other}) ${memberOf} ${teamOf}
      where f.org_id = $1 and f.${self} = $2 and ${isSeen}`;
}

type ProfileRow = Omit<UserProfile, 'totalMiles' | 'streakCount' | 'joinedDate' | 'isSelf'> &
  StreakRow & {
    readonly timeZone: string;
    readonly joinedAt: Date;
    readonly isActive: boolean;
    readonly profileVisible: boolean;
    readonly statsVisible: boolean;
    readonly totalCentimiles: number;
    readonly membershipPosition: LogPosition | null;
  };

const readProfile = `
  select p.user_id as id, p.name, p.bio, p.location, p.favorite_activity,
    p.profile_photo_url, p.time_zone, m.joined_at,
    m.is_active, p.profile_visible, p.stats_visible,
    t.name as team_name, t.emoji as team_emoji, coalesce(s.total_centimiles, 0) as total_centimiles,
    ${streakColumns('p.user_id = $3')}, ${membershipPositionSql} as membership_position,
    array(select b.name from member_badges b
      where b.org_id = $1 and b.user_id = $2 and (not b.is_owner_only or p.user_id = $3)
      order by b.earned_at desc, b.badge_id) as badges,
    ${followerCount} as follower_count, ${countOf('followee_id', 'follower_id')} as following_count,
    exists (select from follows where org_id = $1 and follower_id = $3 and followee_id = $2) as is_following
  from persons p ${memberOf} ${teamOf}
  left join member_scores s on (s.org_id, s.user_id) = (p.org_id, p.user_id)
  where p.org_id = $1 and p.user_id = $2`;

/** As they show themselves (D18), the picture by its bare path. Throws `Rejected` for the unseen. */
export async function profileOf(pool: Pool, caller: Caller, userId: string): Promise<UserProfile> {
  const { orgId, at } = caller;
  const { rows } = await tenantQuery<ProfileRow>(pool, orgId, readProfile, [orgId, userId, caller.userId]);
  const [row] = rows;
  if (!row) throw notSeen();
  const isSelf = row.id === caller.userId;
  // Admins look after accounts that sleep; whoever hides hides from them as well.
  const isShown = row.profileVisible && (row.isActive || caller.role === 'admin');
  if (!isSelf && !isShown) throw notSeen();
  if (isSelf) noteMembershipShown(caller, row.membershipPosition);
  const showsFigures = isSelf || row.statsVisible;
  const { id, name, bio, location, favoriteActivity, profilePhotoUrl, teamName, teamEmoji } = row;
  const { timeZone, followerCount, followingCount, isFollowing } = row;
  return {
    id,
    name,
    bio,
    location,
    favoriteActivity,
    profilePhotoUrl,
    teamName,
    teamEmoji,
    totalMiles: showsFigures ? milesOf(row.totalCentimiles) : null,
    streakCount: showsFigures ? streakOf(row, localDateOf(at, timeZone)).days : null,
    badges: showsFigures ? row.badges : [],
    joinedDate: localDateOf(row.joinedAt, timeZone),
    followerCount,
    followingCount,
    isFollowing,
    isSelf,
  };
}

/** The latest first. Throws `Rejected` like the profile. */
export async function pageOfFollows(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  caller: Caller,
  userId: string,
  { list, limit, cursor }: PageQuery & { list: FollowList },
): Promise<{ people: PersonRow[]; nextCursor: Cursor | undefined }> {
  await profileOf(pool, caller, userId);
  const [other] = endsOf(list);
  const operation = list === 'followers' ? 'listFollowers' : 'listFollowing';
  const pages = cursors.of({ operation, reader: caller, parentId: userId }, newestFirstKey);
  const [before, idBefore] = pages.after(cursor) ?? [null, null];
  const { rows } = await tenantQuery<PersonRow & { followedAt: Date }>(
    pool,
    caller.orgId,
    `select p.user_id as id, p.name, p.profile_photo_url, t.name as team_name,
      t.emoji as team_emoji, f.followed_at ${seenFollowsSql(list)}
      and ($3::timestamptz is null or (f.followed_at, f.${other}) < ($3::timestamptz, $4::uuid))
    order by f.followed_at desc, f.${other} desc limit $5`,
    [caller.orgId, userId, before, idBefore, limit + 1],
  );
  const page = pages.cut(rows, limit, ({ followedAt, id }) => [followedAt.toISOString(), id]);
  return { people: page.rows.map(({ followedAt: _, ...person }) => person), nextCursor: page.nextCursor };
}

export function notSeen(): Rejected {
  return new Rejected('people/not-found', 'not-found', 'Profile not found');
}

/** By the member's own date and the organisation's rule. `freezes`: those saved up; null where there are none. */
export function streakOf(
  { runStartedOn, runEndedOn, streakDays: days, streakFreezes, hasFreezes }: StreakRow,
  today: string,
): { days: number; state: StreakState; freezes: number | null } {
  const run = runStartedOn !== null && runEndedOn !== null ? { startedOn: runStartedOn, endedOn: runEndedOn } : null;
  if (!hasFreezes) return { ...streakOn(run, today), freezes: null };
  const standing = days !== null && streakFreezes !== null ? { days, freezes: streakFreezes } : undefined;
  return { ...streakOn(run, today, standing), freezes: freezesOn(run, today, standing) };
}
