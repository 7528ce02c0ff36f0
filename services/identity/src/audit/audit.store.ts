import type { Caller } from '@caravan/auth/claims';
import type { RefusalLog } from '@caravan/auth/refused-calls';
import type { AuditAct } from '@caravan/contracts/domain/audit';
import type { actAudited } from '@caravan/contracts/events/audit.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Consumed } from '@caravan/messaging/consumer/consumer';
import { Pool } from '@caravan/service-kit/storage/pool';
import { currentDevice } from '@caravan/service-kit/telemetry/request-context';
import { Inject, Injectable } from '@nestjs/common';

/** Ids and the product's own words: nothing personal. */
export type ActDetails = {
  readonly subjectId?: string;
  readonly fromTeamId?: string;
  readonly teamId?: string;
  readonly text?: string;
  readonly count?: number;
};

type Doing = { readonly tx: Tx; readonly meta: { orgId: string; actorId: string | null; at: Date } };

/** In the transaction of the act. PostgreSQL's ids keep the order of acts of one instant. */
export async function recordAct({ tx, meta }: Doing, act: AuditAct, details: ActDetails = {}): Promise<void> {
  const { subjectId, ...others } = details;
  await tx.query(
    `insert into audit.entries (org_id, entry_id, happened_at, act, actor_id, device, subject_id, details)
      values ($1, uuidv7(), $2, $3, $4, $5, $6, $7)`,
    [meta.orgId, meta.at, act, meta.actorId, currentDevice(), subjectId ?? null, JSON.stringify(others)],
  );
}

type Act = Consumed<typeof actAudited>;

export async function storeActs(tx: Tx, events: readonly Act[]): Promise<void> {
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

@Injectable()
export class OwnRefusals implements RefusalLog {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async write({ orgId, meta }: Caller, call: string): Promise<void> {
    await withTenant(this.pool, orgId, (tx) => recordAct({ tx, meta }, 'access.refused', { text: call }));
  }
}
