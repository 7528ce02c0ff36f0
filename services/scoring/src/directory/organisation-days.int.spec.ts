import { resolve } from 'node:path';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import {
  onlyZone,
  organisationDateOf,
  organisationWeekOf,
  startOfOrganisationDate,
  withTimeZone,
  type ZoneHistory,
} from '@caravan/contracts/domain/time/organisation-zone';
import { createPool } from '@caravan/event-store/postgres/connections';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dateSql, daysBetweenMondays } from './organisation-days.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase({ folders: folders.map((folder) => resolve(root, folder)) });
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const hour = 3_600_000;
const days = { from: '2026-10-05', until: '2026-12-28' };

function historyWith(first: string, ...changes: readonly (readonly [string, string])[]): ZoneHistory {
  return changes.reduce((zones, [timeZone, at]) => withTimeZone(zones, timeZone, new Date(at)), onlyZone(first));
}

const histories = [
  onlyZone('Europe/Berlin'),
  historyWith('Europe/Berlin', ['America/Los_Angeles', '2026-11-26T12:00:00Z']),
  // Clocks are set back in both zones around these Mondays.
  historyWith(
    'America/New_York',
    ['Europe/Berlin', '2026-10-22T12:00:00Z'],
    ['America/New_York', '2026-10-28T12:00:00Z'],
  ),
  historyWith(
    'Pacific/Pago_Pago',
    ['Pacific/Kiritimati', '2026-11-11T12:00:00Z'],
    ['Pacific/Honolulu', '2026-11-18T12:00:00Z'],
  ),
];

/** Every seven hours and some minutes, and every quarter of an hour around each beginning of a zone. */
function instantsOf(zones: ZoneHistory): Date[] {
  const start = Date.parse('2026-10-06T00:00:00Z');
  const end = Date.parse('2026-12-26T00:00:00Z');
  const count = Math.floor((end - start) / (7.1 * hour));
  const spread = Array.from({ length: count }, (_, nth) => start + nth * 7.1 * hour);
  const near = zones.changes.flatMap(({ from }) => {
    const begun = startOfOrganisationDate(zones, from).getTime();
    return Array.from({ length: 400 }, (_, nth) => begun + (nth - 200) * 900_000).flatMap((at) => [at - 1, at]);
  });
  return [...spread, ...near].map((at) => new Date(at));
}

test.each(histories)('[D10] the dates that SQL makes of instants are those of the history %#', async (zones) => {
  const instants = instantsOf(zones);
  const { rows } = await pool.query<{ day: string; week: string }>(
    `select ${dateSql('at', { dates: '$2', starts: '$3' })}::text as day,
       ${dateSql('at', { dates: '$4', starts: '$5' })}::text as week
     from unnest($1::timestamptz[]) with ordinality as i (at, nth) order by nth`,
    [instants, ...listsOf(zones, 1), ...listsOf(zones, 7)],
  );
  expect(rows).toEqual(
    instants.map((at) => ({ day: organisationDateOf(zones, at), week: organisationWeekOf(zones, at) })),
  );
});

test('[D10] an instant before the first of the dates has none', async () => {
  const zones = onlyZone('UTC');
  const before = new Date(`${addDays(days.from, -1)}T23:59:59.999Z`);
  const { rows } = await pool.query(`select ${dateSql('$1::timestamptz', { dates: '$2', starts: '$3' })} as day`, [
    before,
    ...listsOf(zones, 1),
  ]);
  expect(rows).toEqual([{ day: null }]);
});

function listsOf(zones: ZoneHistory, everyDays: 1 | 7) {
  const { dates, starts } = daysBetweenMondays(zones, { from: days.from, until: days.until, everyDays });
  return [dates, starts];
}
