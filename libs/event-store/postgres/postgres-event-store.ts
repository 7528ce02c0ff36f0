import { setTimeout as pause } from 'node:timers/promises';
import type { FactKey } from '@caravan/contracts/events/fact-key';
import type { LogPosition } from '@caravan/contracts/events/log-position';
import pg from 'pg';
import { OrganisationCommands } from './commands-together.ts';
import type { Committed, EventStore, IdempotentRequest, Unit } from '../core/event-store.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { tenantQuery, withTenant } from './connections.ts';
import { PostgresUnit } from './postgres-unit.ts';
import { streamQuery } from './streams-read.ts';
import { claim, keep } from './idempotency.ts';
import { recall, streamIdOf, type StoredEvent } from '../core/stream.ts';

export type PostgresEventStoreOptions = {
  readonly pool: pg.Pool;
  readonly service: string;
  readonly onCommitted?: (committed: Committed) => void;
};

const maxRuns = 4;

/** Work handed to `transaction` may run again after a collision, so it must do nothing but speak to its unit. */
export function createPostgresEventStore({ pool, service, onCommitted }: PostgresEventStoreOptions): EventStore {
  const onPublished = (committed: Omit<Committed, 'service'>): void => onCommitted?.({ service, ...committed });

  const transaction: EventStore['transaction'] = (meta, work, request) =>
    again((isFirst) =>
      withTenant(pool, meta.orgId, (tx) => {
        const unit = new PostgresUnit(tx, meta, { onPublished, isShared: false, isOptimistic: isFirst });
        if (!request) return work(unit);
        const tell = (published: LogPosition): void => onPublished({ ...published, key: meta.key, orgId: meta.orgId });
        return answerOnce({ tx, unit, tell }, work, request);
      }),
    );

  const shared = new OrganisationCommands({
    pool,
    onPublished,
    alone: ({ meta, work, request }) => transaction(meta, work, request),
  });

  return {
    transaction,
    sharedTransaction: (meta, work, request) => shared.run(meta, work, request),
    handle: (meta, ...command) => transaction(meta, (unit) => unit.handle(...command)),
    within: (tx, meta) => new PostgresUnit(tx, meta, { onPublished, isShared: true, isOptimistic: false }),
    async read(orgId, kind, id) {
      const streamId = streamIdOf(kind, id);
      const { rows } = await tenantQuery<StoredEvent>(pool, orgId, streamQuery, [orgId, streamId]);
      return recall({ orgId, streamId }, rows);
    },
  };
}

async function again<Result>(run: (isFirst: boolean) => Promise<Result>): Promise<Result> {
  for (let left = maxRuns; ; left--) {
    try {
      return await run(left === maxRuns);
    } catch (error) {
      if (left <= 1 || !isCollision(error)) throw error;
      await pause(Math.random() * 20);
    }
  }
}

function isCollision(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  if (error.code === '40P01' || error.code === '40001') return true;
  return error.code === '23505' && error.schema === 'es' && error.constraint === 'events_pkey';
}

type Answering<Key extends FactKey> = {
  readonly tx: OpenTransaction;
  readonly unit: PostgresUnit<Key>;
  readonly tell: (published: LogPosition) => void;
};

async function answerOnce<Answer, Key extends FactKey>(
  { tx, unit, tell }: Answering<Key>,
  work: (unit: Unit<Key>) => Promise<Answer>,
  request: IdempotentRequest,
): Promise<Answer> {
  const kept = await claim(tx, request);
  if (kept) {
    const { published } = kept;
    if (published) tx.afterCommit(() => tell(published));
    return kept.answer as Answer;
  }
  const answer = await work(unit);
  await unit.settle();
  keep(tx, request, { answer, published: unit.published });
  return answer;
}
