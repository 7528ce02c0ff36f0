import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { Engagement, EngagementRequest } from '@caravan/contracts/http/recaps';
import type { PersonUnit, Unit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { isLate } from '@caravan/service-kit/telemetry/request-context';
import { participationOf, type Week } from './recap.ts';
import { engagementAsSaid, engagementColumns, noSuchRecap } from './engagement.query.ts';
import type { WeekFigures } from './week-figures.query.ts';

/** Once for a week, whoever comes first; answers its id, and nothing to whoever comes later. */
export async function keepRecap(unit: Unit, week: Week, figures: WeekFigures): Promise<string | undefined> {
  const { tx, meta } = unit;
  const { centimiles, memberCount, story, activeMembers, signIns, newActivities } = figures;
  const recapId = randomUUIDv7();
  const { rowCount } = await tx.query(
    `insert into weekly_recaps
       (org_id, recap_id, week_starts_on, week_ends_on, centimiles, member_count, story, created_at)
     select o.org_id, $2, $3, $4, $5, $6, $7, $8 from organisations o where o.org_id = $1 and not o.is_closed
     on conflict (org_id, week_starts_on) do nothing`,
    [week.orgId, recapId, week.startsOn, week.endsOn, centimiles, memberCount, JSON.stringify(story), meta.at],
  );
  if (rowCount === 0) return undefined;
  await tx.query(
    `insert into recap_analytics (org_id, recap_id, active_members, weekly_logins_before, new_activities_before)
     values ($1, $2, $3, $4, $5)`,
    [week.orgId, recapId, activeMembers, signIns, newActivities],
  );
  await completeEarlier(unit, week, figures);
  return recapId;
}

/** This week is the one that followed the recap before: what that did is known now (3.18). */
async function completeEarlier({ tx }: Unit, { orgId, startsOn }: Week, figures: WeekFigures): Promise<void> {
  const { signIns, newActivities, memberCount, activeMembers } = figures;
  const { rows } = await tx.query<{ recapId: string; memberCount: number; activeMembers: number }>(
    `select r.recap_id, r.member_count, a.active_members
     from weekly_recaps r join recap_analytics a on (a.org_id, a.recap_id) = (r.org_id, r.recap_id)
     where r.org_id = $1 and r.week_starts_on = $2::date - 7`,
    [orgId, startsOn],
  );
  for (const before of rows) {
    const change =
      participationOf(memberCount, activeMembers) - participationOf(before.memberCount, before.activeMembers);
    await tx.query(
      `update recap_analytics set weekly_logins_after = $3, new_activities_after = $4, participation_change = $5
       where org_id = $1 and recap_id = $2`,
      [orgId, before.recapId, signIns, newActivities, change.toFixed(1)],
    );
  }
}

/** One row of a member and recap. Throws `Rejected` for a recap of nobody or of others, and for who is nobody here. */
export async function engage(
  { tx, meta }: PersonUnit,
  { orgId, userId }: Caller,
  recapId: string,
  said: EngagementRequest,
): Promise<Engagement> {
  // Waits for erasures under way, and they for this unit.
  await tx.query('select lock_posting(array[$1::uuid])', [orgId]);
  const { rowCount } = await tx.query('select from members where org_id = $1 and user_id = $2 and not is_erased', [
    orgId,
    userId,
  ]);
  const message = 'Your membership is still being set up. Please try again.';
  if (rowCount === 0 || isLate('identity'))
    throw new Rejected('member/not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
  const { reactionEmoji, vibeEmoji, feedbackText } = said;
  const isSaid = [reactionEmoji, vibeEmoji, feedbackText].map((value) => value !== undefined);
  const { rows } = await tx.query<Omit<Engagement, 'viewedAt'> & { viewedAt: Date }>(
    `insert into recap_engagement as e
       (org_id, recap_id, user_id, viewed_at, reaction_emoji, vibe_emoji, feedback_text)
     select org_id, recap_id, $3, $4, $5, $6, $7 from weekly_recaps where org_id = $1 and recap_id = $2 for key share
     on conflict (org_id, recap_id, user_id) do update set
       reaction_emoji = case when $8::boolean then excluded.reaction_emoji else e.reaction_emoji end,
       vibe_emoji = case when $9::boolean then excluded.vibe_emoji else e.vibe_emoji end,
       feedback_text = case when $10::boolean then excluded.feedback_text else e.feedback_text end
     returning ${engagementColumns}`,
    [orgId, recapId, userId, meta.at, reactionEmoji ?? null, vibeEmoji ?? null, feedbackText ?? null, ...isSaid],
  );
  if (!rows[0]) throw noSuchRecap();
  return engagementAsSaid(rows[0]);
}
