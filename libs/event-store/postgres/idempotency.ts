import type { LogPosition } from '@caravan/contracts/events/log-position';
import type pg from 'pg';
import type { IdempotentRequest } from '../core/event-store.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { withSystem } from './connections.ts';
import { Rejected } from '@caravan/kernel/rejected';

export type Kept = { readonly answer: unknown; readonly published: LogPosition | null };

const keyReused = (): Rejected =>
  new Rejected('idempotency/key-reused', 'invalid', 'This Idempotency-Key was already used for a different request');

/** The answer given before, or undefined. Waits for an equal request under way; throws `idempotency/key-reused`. */
export async function claim(tx: OpenTransaction, request: IdempotentRequest): Promise<Kept | undefined> {
  const { rows } = await tx.query<Claimed>(
    `select is_same_body, answer, pos as position, es.epoch_at(pos) as epoch
     from es.claim_request($1, $2, $3)`,
    [request.owner, request.key, request.bodyHash],
  );
  const [kept] = rows;
  if (kept?.isSameBody === false) throw keyReused();
  return kept && keptOf(kept);
}

type Claimed = { isSameBody: boolean; answer: unknown; position: number | null; epoch: number };

/** `claim` for several at once, none of them twice; a key that was used for another request is answered, not thrown. */
export async function claimTogether(
  tx: OpenTransaction,
  requests: readonly (IdempotentRequest | undefined)[],
): Promise<ReadonlyMap<number, Kept | Rejected>> {
  const asked = requests.flatMap((request, nth) => (request ? [{ nth, ...rowOf(request) }] : []));
  if (asked.length === 0) return new Map();
  const { rows } = await tx.query<Claimed & { nth: number }>(
    `select nth, is_same_body, answer, pos as position, es.epoch_at(pos) as epoch
     from es.claim_requests($1)`,
    [JSON.stringify(asked)],
  );
  return new Map(rows.map(({ nth, isSameBody, ...kept }) => [nth, isSameBody ? keptOf(kept) : keyReused()]));
}

const keptOf = ({ answer, position, epoch }: Omit<Claimed, 'isSameBody'>): Kept => ({
  answer,
  published: position === null ? null : { epoch, position },
});

const rowOf = ({ owner, key, bodyHash }: IdempotentRequest) => ({ owner, key, body_hash: bodyHash });

/** `keep` for several at once. */
export function keepTogether(
  tx: OpenTransaction,
  all: readonly { readonly request: IdempotentRequest; readonly kept: Kept }[],
): void {
  if (all.length === 0) return;
  const rows = all.map(({ request, kept: { answer, published } }) => ({
    ...rowOf(request),
    answer: answer ?? null,
    pos: published?.position ?? null,
  }));
  tx.defer('select es.keep_answers($1)', [JSON.stringify(rows)]);
}

/** Keeps the answer in the transaction it belongs to: a refused request leaves its key unused. */
export function keep(tx: OpenTransaction, request: IdempotentRequest, { answer, published }: Kept): void {
  const { owner, key, bodyHash } = request;
  tx.defer('select es.keep_answer($1, $2, $3, $4, $5)', [
    owner,
    key,
    bodyHash,
    answer === undefined ? null : JSON.stringify(answer),
    published?.position ?? null,
  ]);
}

const batchSize = 500;
/** What was passed by because somebody else had it in hand is found by a look from the start. */
const wholeLookMilliseconds = 24 * 3_600_000;

/** Forgets old answers (design/database.md); remembers how far it came, since deleted rows stay as long as an old snapshot is held. */
export class OldAnswers {
  private readonly pool: pg.Pool;
  private readonly now: () => number;
  private from = '-infinity';
  private beganAt = -Infinity;

  constructor(pool: pg.Pool, now: () => number = Date.now) {
    this.pool = pool;
    this.now = now;
  }

  async forget(most = 10_000): Promise<number> {
    if (this.now() - this.beganAt >= wholeLookMilliseconds) {
      this.from = '-infinity';
      this.beganAt = this.now();
    }
    let all = 0;
    let forgotten: number;
    do {
      forgotten = await this.forgetSome();
      all += forgotten;
    } while (forgotten === batchSize && all < most);
    return all;
  }

  private async forgetSome(): Promise<number> {
    const { rows } = await withSystem(this.pool, (tx) =>
      tx.query<{ forgotten: number; cameTo: string | null }>(
        'select forgotten, came_to::text from es.forget_answers($1, $2)',
        [this.from, batchSize],
      ),
    );
    const [{ forgotten, cameTo } = { forgotten: 0, cameTo: null }] = rows;
    this.from = cameTo ?? this.from;
    return forgotten;
  }
}
