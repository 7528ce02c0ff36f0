import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import { expect, test } from 'vitest';
import { MilesFigure } from './miles-figure.service.ts';

dropWithoutLook('its totals are of no logs');
const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];

test('operators see the miles of all organisations, and none while the database is away', async () => {
  const database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  const pool = createPool(database.url);
  const metrics = new Metrics('scoring', { hasProcessMetrics: false });
  new MilesFigure(pool, metrics);
  const readMiles = async () => /^caravan_miles\{[^}]*\} (\S+)$/m.exec(await metrics.registry.metrics())?.[1];

  expect(await readMiles()).toBe('0');
  await withSystem(pool, async (tx) => {
    for (const centimiles of [1_250, 300])
      await tx.query('insert into team_totals (org_id, team_id, centimiles, reached_at) values ($1, $2, $3, now())', [
        randomUUID(),
        randomUUID(),
        centimiles,
      ]);
  });
  expect(await readMiles()).toBe('15.5');

  await pool.end();
  expect(await readMiles()).toBeUndefined();
  await database.drop();
});
