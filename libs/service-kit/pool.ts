import { createPool } from '@caravan/event-store/postgres';
import type { Dependencies } from './dependency.ts';
import type { ServiceEnv } from './env.ts';
import { timeLeft } from './request-context.ts';

/** Injection token of the service's PostgreSQL pool (runtime role). */
export const Pool = Symbol('Pool');
export type Pool = ReturnType<typeof createPool>;

/** One statement, however long whoever asked would wait: a database that is silent for longer hangs. */
const statementMilliseconds = 3_000;
const probeMilliseconds = 1_000;

/**
 * The pool that answers requests. Each transaction takes what is left of its request's time; once one of them had no
 * answer at all, a probe says whether the database hangs, and until it answers again nobody waits for it.
 */
export function createRequestPool(env: ServiceEnv, dependencies: Dependencies): Pool {
  const { DATABASE_URL: url, DATABASE_POOL_MAX: max, DATABASE_QUEUE_MAX: mostWaiting } = env;
  // A connection is asked for in the same breath, so what holds for the probe holds for nobody else.
  let isProbe = false;
  const probe = () => {
    isProbe = true;
    try {
      return pool.query('select 1');
    } finally {
      isProbe = false;
    }
  };
  const postgres = dependencies.of({ name: 'postgres', budgetMilliseconds: probeMilliseconds, probe });
  const guard = {
    refusal: () => (isProbe ? undefined : postgres.refusal()),
    timeLeft: () => {
      const left = isProbe ? probeMilliseconds : timeLeft();
      return left === undefined ? undefined : Math.min(left, statementMilliseconds);
    },
    late: () => postgres.suspect(),
  };
  const acquireTimeoutMillis = env.DATABASE_WAIT_MILLISECONDS;
  const pool = createPool(url, { max, acquireTimeoutMillis, bounds: { guard, mostWaiting } });
  return pool;
}
