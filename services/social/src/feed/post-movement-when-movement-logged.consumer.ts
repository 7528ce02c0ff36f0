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

/** One statement for a whole batch. A log is posted once, whatever comes twice. */
async function writePosts(tx: Tx, events: readonly Logged[]): Promise<void> {
  const of = <Value>(value: (event: Logged) => Value) => events.map(value);
  await tx.query(
    `insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, caption, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[], $10::timestamptz[])
     on conflict (org_id, log_id) do nothing`,
    [
      of(({ orgId }) => orgId),
      of(({ data }) => data.logId),
      of(({ data }) => data.userId),
      of(({ data }) => data.teamId),
      of(({ data }) => data.activityType),
      of(({ data }) => data.durationMinutes),
      of(({ data }) => data.centimiles),
      of(({ data }) => data.source),
      of(({ data }) => data.caption),
      of(({ data }) => movementEndOf(data)),
    ],
  );
}
