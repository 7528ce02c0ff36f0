import type { createPool } from '@caravan/event-store/postgres';

/** Injection token of the service's PostgreSQL pool (runtime role). */
export const Pool = Symbol('Pool');
export type Pool = ReturnType<typeof createPool>;
