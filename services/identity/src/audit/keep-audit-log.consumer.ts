import { actAudited } from '@caravan/contracts/events/audit.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';

type Act = Consumed<typeof actAudited>;

/** Acts in the other services. An entry has the id of its fact: twice changes nothing. */
@Controller()
export class KeepAuditLog {
  @Consumes({
    group: 'identity.keep-audit-log',
    from: 'scoring',
    contract: actAudited,
    isAwaited: false,
    isPrompt: false,
  })
  keepActOfScoring(event: Act, batch: BatchContext): void {
    batch.enqueueWrite(writeEntries, event);
  }

  @Consumes({
    group: 'identity.keep-audit-log',
    from: 'social',
    contract: actAudited,
    isAwaited: false,
    isPrompt: false,
  })
  keepActOfSocial(event: Act, batch: BatchContext): void {
    batch.enqueueWrite(writeEntries, event);
  }
}

async function writeEntries(tx: Tx, events: readonly Act[]): Promise<void> {
  await tx.query(
    `insert into audit.entries (org_id, entry_id, happened_at, act, actor_id, device, details)
      select org_id, entry_id, happened_at, act, actor_id, device, jsonb_strip_nulls(jsonb_build_object('text', text, 'count', count))
      from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::int[])
        as told (org_id, entry_id, happened_at, act, actor_id, device, text, count)
      on conflict (org_id, entry_id) do nothing`,
    [
      events.map(({ orgId }) => orgId),
      events.map(({ id }) => id),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ data }) => data.act),
      events.map(({ actorId }) => actorId),
      events.map(({ data }) => data.device),
      events.map(({ data }) => data.text),
      events.map(({ data }) => data.count),
    ],
  );
}
