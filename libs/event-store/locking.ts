import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { OpenTransaction } from './open-transaction.ts';
import { withSystem } from './postgres.ts';

/** How long a writer may have to wait because a rebuild queues for a lock; shorter than PostgreSQL takes to call it a deadlock. */
const lockTimeoutMillis = 700;
/** Every third try waits longer: an autovacuum of a large table gives way only to who has waited for a second. */
const longLockTimeoutMillis = 1_500;
const maxLockAttempts = 30;

/** Gives way after a moment and tries again: a command that waits behind a waiting lock waits for nothing. */
export async function lockedPatiently<Result>(
  pool: pg.Pool,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  for (let left = maxLockAttempts; ; left--) {
    try {
      return await withSystem(pool, async (tx) => {
        tx.defer(`set local lock_timeout = ${left % 3 === 1 ? longLockTimeoutMillis : lockTimeoutMillis}`);
        return work(tx);
      });
    } catch (error) {
      const gaveWay = error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
      if (!gaveWay || left <= 1) throw error;
      await pause(200 + Math.random() * 300);
    }
  }
}

/**
 * The last position. Under the lock no append is under way, so nothing can appear at or before it later: a plain
 * `max(pos)` would pass over events whose transactions commit after it was read.
 */
export async function settledEnd(tx: OpenTransaction): Promise<number> {
  await tx.query('lock table es.events in share mode');
  const { rows } = await tx.query<{ end: number | null }>('select max(pos) as end from es.events');
  return rows[0]?.end ?? 0;
}

/** Holds `name` for as long as the connection is held; throws when another process does. */
export async function onlyOne(guard: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await guard.query<{ isMine: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 3)) as "isMine"',
    [name],
  );
  if (!rows[0]?.isMine) throw new Error(`${name} is being rebuilt already`);
}
