import { createPool } from '@caravan/event-store/postgres/connections';
import type { Dependencies } from '../process/dependency.ts';
import type { ServiceEnv } from '../process/env.ts';
import { timeLeft } from '../telemetry/request-context.ts';

export const Pool = Symbol('Pool');
export type Pool = ReturnType<typeof createPool>;

const statementMilliseconds = 3_000;
const probeMilliseconds = 1_000;

/** A transaction has what is left of its request's time; after silence a probe says whether the database hangs. */
export function createRequestPool(env: ServiceEnv, dependencies: Dependencies): Pool {
  const { DATABASE_URL: url, DATABASE_POOL_MAX: max, DATABASE_QUEUE_MAX: mostWaiting } = env;
  // A connection is asked for in the same breath, so this holds for nobody but the probe.
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
