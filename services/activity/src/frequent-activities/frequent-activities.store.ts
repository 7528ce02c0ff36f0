import type { FrequentActivity } from '@caravan/contracts/http/movement';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';

/** Beyond, the one that was not used for longest makes room. */
const mostActivities = 100;
const listed = 10;

type Whose = { readonly orgId: string; readonly userId: string; readonly at: Date };

@Injectable()
export class FrequentActivities {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async of({ orgId, userId }: Whose): Promise<FrequentActivity[]> {
    const { rows } = await tenantQuery<FrequentActivity>(
      this.pool,
      orgId,
      `select activity_id as id, activity_name as "activityName", usage_count as "usageCount" from frequent_activities
       where org_id = $1 and user_id = $2 order by usage_count desc, used_at desc, activity_id limit ${listed}`,
      [orgId, userId],
    );
    return rows;
  }

  /** Counts one more use. Throws `Rejected` unavailable while this service has not heard of the member. */
  track({ orgId, userId, at }: Whose, activityName: string): Promise<FrequentActivity> {
    return withTenant(this.pool, orgId, async (tx) => {
      // Whoever erases the member waits for this, and after that there is no member.
      await tx.query('select es.lock_keys($1)', [[userId]]);
      const { rows } = await tx.query<FrequentActivity>(
        `insert into frequent_activities as f (org_id, user_id, activity_name, usage_count, used_at)
         select org_id, user_id, $3, 1, $4 from members where org_id = $1 and user_id = $2
         on conflict (org_id, user_id, name_key) do update
           set activity_name = excluded.activity_name, usage_count = f.usage_count + 1, used_at = excluded.used_at
         returning activity_id as id, activity_name as "activityName", usage_count as "usageCount"`,
        [orgId, userId, activityName, at],
      );
      const [tracked] = rows;
      if (!tracked) throw notYet();
      if (tracked.usageCount === 1)
        await tx.query(
          `delete from frequent_activities where (org_id, user_id, name_key) in (
             select org_id, user_id, name_key from frequent_activities where org_id = $1 and user_id = $2
             order by used_at desc, activity_id desc offset ${mostActivities})`,
          [orgId, userId],
        );
      return tracked;
    });
  }
}

function notYet(): Rejected {
  const message = 'Your membership is still being set up. Please try again.';
  return new Rejected('movement/member-not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
}
