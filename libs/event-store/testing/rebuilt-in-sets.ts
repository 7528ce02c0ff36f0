import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import { createPatientPool, withSystem } from '../postgres/connections.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import type { AnyKind, AnyProjection } from '../rebuild/rebuild.ts';

export type LoggedEvent = {
  readonly orgId: string;
  readonly category: string;
  readonly type: string;
  readonly data: object;
};

/** Rows of a projection's tables after a log was replayed: one event after the other, and in small and in large sets. */
export async function rebuiltInSets(options: {
  readonly folders: readonly string[];
  /** Runs before the rebuilds, for tables that no migration makes. */
  readonly before?: readonly string[];
  readonly kinds: readonly AnyKind[];
  readonly projection: AnyProjection;
  readonly events: readonly LoggedEvent[];
  /** By table, where not all columns follow from the log. */
  readonly columns?: Readonly<Record<string, string>>;
}): Promise<{ oneByOne: string[][]; inSets: string[][][] }> {
  const { folders, before = [], kinds, projection, events, columns = {} } = options;
  dropWithoutLook('its events were decided by nobody, and one projection of several is filled');
  const database = await createTestDatabase({ folders });
  const pool = createPatientPool(database.ownerUrl, { max: 2 });
  const rebuilt = async (batchSize: number): Promise<string[][]> => {
    const sources = kinds.map((kind) => ({ ...kind, projections: [projection] }));
    await rebuild({ databaseUrl: database.ownerUrl, kinds: sources, projection, batchSize });
    return withSystem(pool, async (tx) => {
      const tables: string[][] = [];
      for (const table of projection.tables) {
        const text = `select row_to_json(r)::text as line from (select ${columns[table] ?? '*'} from ${table}) r order by 1`;
        tables.push((await tx.query<{ line: string }>(text)).rows.map(({ line }) => line));
      }
      return tables;
    });
  };
  try {
    for (const statement of before) await pool.query(statement);
    await withSystem(pool, async (tx) => {
      for (const event of events) tx.defer(appendSql, valuesOf(event));
    });
    return { oneByOne: await rebuilt(1), inSets: [await rebuilt(7), await rebuilt(2_000)] };
  } finally {
    await pool.end();
    await database.drop();
  }
}

const appendSql = `
  insert into es.events (org_id, stream_id, version, category, partition_key, event_id, type, schema_version, data, meta,
    actor_id, recorded_at)
  values ($1, $2, 1, $3, '', $4, $5, 1, $6, '{}', $7, date_trunc('milliseconds', now()))`;

const valuesOf = ({ orgId, category, type, data }: LoggedEvent): unknown[] => [
  orgId,
  `${category}-${randomUUID()}`,
  category,
  randomUUID(),
  type,
  JSON.stringify(data),
  randomUUID(),
];
