import type { FrequentActivity } from '@caravan/contracts/http/movement';
import type { Tx } from '@caravan/event-store/core/event-store';

/** Beyond, the one that was not used for longest makes room. */
const mostActivities = 100;

type Use = { readonly orgId: string; readonly userId: string; readonly at: Date; readonly activityName: string };

/** Counts one more use. Undefined while this service has no row of the member. */
export async function countUse(
  tx: Tx,
  { orgId, userId, at, activityName }: Use,
): Promise<FrequentActivity | undefined> {
  // Erasing the member waits for this lock, and after that there is no member.
  await tx.query('select es.lock_keys($1)', [[userId]]);
  const { rows } = await tx.query<FrequentActivity>(
    `insert into frequent_activities as f (org_id, user_id, activity_name, usage_count, used_at)
         select org_id, user_id, $3, 1, $4 from members where org_id = $1 and user_id = $2
         on conflict (org_id, user_id, name_key) do update
           set activity_name = excluded.activity_name, usage_count = f.usage_count + 1, used_at = excluded.used_at
         returning activity_id as id, activity_name, usage_count`,
    [orgId, userId, activityName, at],
  );
  const [tracked] = rows;
  if (tracked?.usageCount === 1)
    await tx.query(
      `delete from frequent_activities where (org_id, user_id, name_key) in (
             select org_id, user_id, name_key from frequent_activities where org_id = $1 and user_id = $2
             order by used_at desc, activity_id desc offset ${mostActivities})`,
      [orgId, userId],
    );
  return tracked;
}
