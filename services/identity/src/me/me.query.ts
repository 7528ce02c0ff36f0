import type { Caller } from '@caravan/auth/claims';
import type { Me } from '@caravan/contracts/http/accounts';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import type { LogPosition } from '@caravan/contracts/events/log-position';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { membershipPositionSql, noteMembershipShown } from '../membership/index.ts';
import { ownStreakColumns, streakOf } from '../people/index.ts';
import type { StreakRow } from '../people/index.ts';
import { ownFace } from '../sessions/index.ts';

type MeRow = Omit<Me, 'team' | 'totalMiles' | 'streakCount' | 'streakState' | 'streakFreezes' | 'lastActivityDate'> &
  StreakRow & {
    readonly teamId: string;
    readonly teamName: string;
    readonly teamEmoji: string;
    readonly totalCentimiles: number;
    readonly membershipPosition: LogPosition | null;
  };

const text = `
  select p.user_id as id, p.name, p.email, m.role, p.profile_photo_url,
    t.team_id, t.name as team_name, t.emoji as team_emoji,
    coalesce(s.total_centimiles, 0) as total_centimiles, ${ownStreakColumns},
    p.activity_level, p.time_zone, p.bio, p.location,
    p.favorite_activity, p.email_confirmed_at is not null as is_email_confirmed,
    (select w.email from email_confirmations w join credentials c on (c.org_id, c.user_id) = (w.org_id, w.user_id)
      where (w.org_id, w.user_id) = (p.org_id, p.user_id) and w.email_key <> c.email_key) as pending_email,
    p.pending_domains <> '{}' as is_guest,
    not exists (select from open_ballots b
      where (b.org_id, b.team_id) = (m.org_id, m.team_id) and b.ends_at > $3 and not exists (select from ballot_voters v
        where (v.org_id, v.ballot_id, v.user_id) = (b.org_id, b.ballot_id, m.user_id))) as has_voted_this_challenge,
    ${membershipPositionSql} as membership_position
  from persons p
  join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
  join teams t on (t.org_id, t.team_id) = (m.org_id, m.team_id)
  left join member_scores s on (s.org_id, s.user_id) = (p.org_id, p.user_id)
  where p.org_id = $1 and p.user_id = $2`;

/** Throws `Rejected` when the account is gone. */
export async function me(pool: Pool, addresses: PhotoAddresses, caller: Caller): Promise<Me> {
  const { orgId, userId, at } = caller;
  const { rows } = await tenantQuery<MeRow>(pool, orgId, text, [orgId, userId, at]);
  const [row] = rows;
  if (!row) throw goneRefusal();
  const {
    teamId,
    teamName,
    teamEmoji,
    totalCentimiles,
    runStartedOn,
    runEndedOn,
    streakDays,
    streakFreezes,
    hasFreezes,
    membershipPosition,
    ...person
  } = row;
  noteMembershipShown(caller, membershipPosition);
  const kept = { runStartedOn, runEndedOn, streakDays, streakFreezes, hasFreezes };
  const streak = streakOf(kept, localDateOf(at, person.timeZone));
  return {
    ...person,
    profilePhotoUrl: ownFace(addresses, person.profilePhotoUrl, caller),
    team: { id: teamId, name: teamName, emoji: teamEmoji },
    totalMiles: milesOf(totalCentimiles),
    streakCount: streak.days,
    streakState: streak.state,
    streakFreezes: streak.freezes,
    lastActivityDate: runEndedOn,
  };
}

function goneRefusal(): Rejected {
  return new Rejected('me/gone', 'unauthenticated', 'This account does not exist any more.');
}
