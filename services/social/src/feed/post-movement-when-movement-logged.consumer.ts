import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import { movementLogged } from '@caravan/contracts/activity.events';
import { movementEndOf } from '@caravan/contracts/movement-end';
import type { Tx } from '@caravan/event-store/event-store';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

type Logged = Consumed<typeof movementLogged>;

/** Every movement that is logged becomes a post of the feeds. */
@Controller()
export class PostMovementWhenMovementLogged {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementLogged })
  post(event: Logged, batch: BatchContext): void {
    batch.gather(writePosts, event);
    batch.afterCommit(() => this.live.publish(event.orgId, ['feed']));
  }
}

/**
 * One statement for a whole batch. A log is posted once, whatever comes twice; what a member typed who has been erased
 * meanwhile is not written down any more.
 */
async function writePosts(tx: Tx, events: readonly Logged[]): Promise<void> {
  const of = <Value>(value: (event: Logged) => Value) => events.map(value);
  const orgIds = of(({ orgId }) => orgId);
  // Waits for erasures under way; the insert sees what they left.
  const locked = tx.query('select lock_posting($1)', [orgIds]);
  const posted = tx.query(
    `insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, caption, created_at)
     select p.org_id, log_id, p.user_id, p.team_id,
       case when m.is_erased and activity_type <> all($11::text[]) then $12 else activity_type end,
       duration_minutes, centimiles, source, case when m.is_erased then null else caption end, created_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[], $10::timestamptz[])
       as p (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, caption, created_at)
     left join members m on m.org_id = p.org_id and m.user_id = p.user_id and m.is_erased
     on conflict (org_id, log_id) do nothing`,
    [
      orgIds,
      of(({ data }) => data.logId),
      of(({ data }) => data.userId),
      of(({ data }) => data.teamId),
      of(({ data }) => data.activityType),
      of(({ data }) => data.durationMinutes),
      of(({ data }) => data.centimiles),
      of(({ data }) => data.source),
      of(({ data }) => data.caption),
      of(({ data }) => movementEndOf(data)),
      productActivities,
      forgottenActivityName,
    ],
  );
  await Promise.all([locked, posted]);
}
