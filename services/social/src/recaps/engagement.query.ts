import type { Caller } from '@caravan/auth/claims';
import type { Engagement, RecapAnalytics, RecapEffect } from '@caravan/contracts/http/recaps';
import type { Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';

export const noSuchRecap = () => new Rejected('recaps/not-found', 'not-found', 'There is no such recap');

/** Of `recap_engagement e`. */
export const engagementColumns = `
  e.viewed_at, e.reaction_emoji, e.vibe_emoji,
  e.feedback_text`;

type OwnRow = Omit<Engagement, 'viewedAt'> & { readonly viewedAt: Date };

export const engagementAsSaid = (row: OwnRow | undefined): Engagement =>
  row
    ? { ...row, viewedAt: row.viewedAt.toISOString() }
    : { viewedAt: null, reactionEmoji: null, vibeEmoji: null, feedbackText: null };

type Counted = {
  readonly emoji: string | null;
  readonly vibe: string | null;
  readonly views: number;
  readonly comments: number;
};

/** How many, and the reader's own. */
export async function engagementOf(tx: Tx, { orgId, userId }: Pick<Caller, 'orgId' | 'userId'>, recapId: string) {
  const [{ rows: counted }, { rows: own }] = await Promise.all([
    tx.query<Counted>(
      `select reaction_emoji as emoji, vibe_emoji as vibe, count(*)::int as views, count(feedback_text)::int as comments
       from recap_engagement where org_id = $1 and recap_id = $2 group by 1, 2`,
      [orgId, recapId],
    ),
    tx.query<OwnRow>(
      `select ${engagementColumns} from recap_engagement e where e.org_id = $1 and e.recap_id = $2 and e.user_id = $3`,
      [orgId, recapId, userId],
    ),
  ]);
  const sum = (of: (row: Counted) => number) => counted.reduce((total, row) => total + of(row), 0);
  return {
    viewCount: sum(({ views }) => views),
    reactionCount: sum(({ emoji, views }) => (emoji === null ? 0 : views)),
    commentCount: sum(({ comments }) => comments),
    reactions: countsOf(counted, ({ emoji }) => emoji),
    vibes: countsOf(counted, ({ vibe }) => vibe),
    engagement: engagementAsSaid(own[0]),
  };
}

function countsOf(rows: readonly Counted[], of: (row: Counted) => string | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const emoji = of(row);
    if (emoji !== null) counts[emoji] = (counts[emoji] ?? 0) + row.views;
  }
  return counts;
}

const mostFeedback = 100;

/** For admins: logins and logs before and after, and what members had to say, without names (3.18). */
export async function effectOf(tx: Tx, orgId: string, recapId: string): Promise<RecapEffect> {
  const values = [orgId, recapId];
  const [{ rows: analytics }, { rows: feedback }] = await Promise.all([
    tx.query<RecapAnalytics>(
      `select weekly_logins_before, weekly_logins_after,
         new_activities_before, new_activities_after,
         participation_change::float8
       from recap_analytics where org_id = $1 and recap_id = $2`,
      values,
    ),
    // In no order of people or time, so that nobody is told by their place.
    tx.query<{ text: string }>(
      `select feedback_text as text from recap_engagement
       where org_id = $1 and recap_id = $2 and feedback_text is not null order by md5(feedback_text) limit ${mostFeedback}`,
      values,
    ),
  ]);
  const [told] = analytics;
  if (!told) throw noSuchRecap();
  return { ...told, feedback: feedback.map(({ text }) => text) };
}
