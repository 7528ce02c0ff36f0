import type { LogPosition } from '@caravan/contracts/log-position';
import type { IdempotentRequest } from './event-store.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { Rejected } from './rejected.ts';

/** What a request was answered the first time. */
export type Kept = { readonly answer: unknown; readonly published: LogPosition | null };

/** Equal key, other body: a client's mistake that must not look like a success. */
export const keyReused = (): Rejected =>
  new Rejected('idempotency/key-reused', 'invalid', 'This Idempotency-Key was already used for a different request');

/**
 * The answer given before to the same request, or undefined when it is this transaction's to give. Waits for an equal
 * request under way. Throws `Rejected` with `idempotency/key-reused`.
 */
export async function claim(tx: OpenTransaction, request: IdempotentRequest): Promise<Kept | undefined> {
  const { rows } = await tx.query<{ isSameBody: boolean; answer: unknown; position: number | null; epoch: number }>(
    `select is_same_body as "isSameBody", answer, pos as position, es.epoch_at(pos) as epoch
     from es.claim_request($1, $2, $3)`,
    [request.owner, request.key, request.bodyHash],
  );
  const [kept] = rows;
  if (kept?.isSameBody === false) throw keyReused();
  if (!kept) return undefined;
  const { answer, position, epoch } = kept;
  return { answer, published: position === null ? null : { epoch, position } };
}

/** Keeps the answer in the transaction it belongs to: a refused request leaves its key unused. */
export function keep(tx: OpenTransaction, request: IdempotentRequest, { answer, published }: Kept): void {
  const { owner, key, bodyHash } = request;
  tx.defer('select es.keep_answer($1, $2, $3, $4, $5)', [
    ...[owner, key, bodyHash],
    answer === undefined ? null : JSON.stringify(answer),
    published?.position ?? null,
  ]);
}
