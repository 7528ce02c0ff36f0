import type pg from 'pg';
import { withSystem } from './postgres.ts';

/** How many answers one transaction forgets at most. */
const batchSize = 500;
/** What was passed by because somebody else had it in hand is found by a look from the start. */
const wholeLookMilliseconds = 24 * 3_600_000;

/**
 * Forgets kept answers that are too old to be given again (ADR 0035). Remembers how far it came: rows that were deleted and
 * cannot go yet, because somebody holds an old snapshot, are walked over once a day and by a new process only.
 */
export class OldAnswers {
  private readonly pool: pg.Pool;
  private readonly now: () => number;
  private from = '-infinity';
  private beganAt = -Infinity;

  constructor(pool: pg.Pool, now: () => number = Date.now) {
    this.pool = pool;
    this.now = now;
  }

  /** Forgets at most `most` answers, in small portions. Answers how many went. */
  async forget(most = 10_000): Promise<number> {
    if (this.now() - this.beganAt >= wholeLookMilliseconds) {
      this.from = '-infinity';
      this.beganAt = this.now();
    }
    let all = 0;
    let forgotten: number;
    do {
      forgotten = await this.forgetPortion();
      all += forgotten;
    } while (forgotten === batchSize && all < most);
    return all;
  }

  private async forgetPortion(): Promise<number> {
    const { rows } = await withSystem(this.pool, (tx) =>
      tx.query<{ forgotten: number; cameTo: string | null }>(
        'select forgotten, came_to::text as "cameTo" from es.forget_answers($1, $2)',
        [this.from, batchSize],
      ),
    );
    const [{ forgotten, cameTo } = { forgotten: 0, cameTo: null }] = rows;
    this.from = cameTo ?? this.from;
    return forgotten;
  }
}
