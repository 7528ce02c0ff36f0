import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import type { AnyKind } from '@caravan/event-store/rebuild/rebuild';
import { replayBetween } from '@caravan/event-store/rebuild/rebuild';
import { asOwnerOf } from '../seeding/databases.ts';
import type { Place } from '../seeding/place.ts';
import { afterReplay, kindsOf } from '../seeding/rebuilding.ts';
import { appendCrowd } from '../seeding/seed.ts';
import type { SeededService } from '../seeding/seed.ts';

/** What a crowd records; the rest of the log is the running service's own, which has projected it. */
const recordedBy = { identity: 'membership', activity: 'movement', scoring: 'ledger' } as const;

type Database = { readonly service: SeededService; readonly ownerUrl: string };

/** From here on statistics are taken by `analyze` alone. */
export async function withoutAutovacuum({ ownerUrl }: Database): Promise<void> {
  await asOwnerOf(ownerUrl, async (tx) => {
    await tx.query(`do $$ declare t regclass; begin
      for t in select oid::regclass from pg_class
        where relkind = 'r' and relnamespace in ('public'::regnamespace, 'es'::regnamespace, 'msg'::regnamespace)
      loop execute format('alter table %s set (autovacuum_enabled = off)', t); end loop; end $$`);
  });
}

export async function analyze({ ownerUrl }: Database): Promise<void> {
  const pool = createPatientPool(ownerUrl, { max: 1 });
  await pool.query('vacuum analyze');
  await pool.end();
}

/** Members join, each with a log, and nobody takes statistics. */
export async function comeIn({ service, ownerUrl }: Database, place: Place, members: number): Promise<void> {
  const pool = createPatientPool(ownerUrl, { max: 4 });
  try {
    const after = await endOf(pool);
    await asOwnerOf(ownerUrl, (tx) =>
      appendCrowd(service, tx, { place, at: new Date(), logs: members, of: 'members' }),
    );
    if (service === 'social') return;
    const ofService: readonly AnyKind[] = kindsOf[service];
    const kinds = ofService.filter(({ decider }) => decider.category === recordedBy[service]);
    for (const projection of new Set(kinds.flatMap(({ projections }) => projections))) {
      const sources = kinds.filter(({ projections }) => projections.includes(projection));
      const replay = {
        projection,
        kinds: sources,
        schema: 'public',
        batchSize: 2_000,
        afterReplay: afterReplay[projection.name],
      };
      await replayBetween(pool, replay, { after, until: Number.MAX_SAFE_INTEGER });
    }
  } finally {
    await pool.end();
  }
}

async function endOf(pool: ReturnType<typeof createPatientPool>): Promise<number> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ end: number | null }>('select max(pos) as end from es.events'),
  );
  return rows[0]?.end ?? 0;
}
