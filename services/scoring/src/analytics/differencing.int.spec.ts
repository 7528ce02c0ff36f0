import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Analytics } from '@caravan/contracts/http/analytics';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { createPool, withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import type { Tx } from '@caravan/event-store/core/event-store';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, addTeam, changeMember, keepOrganisation, keepStay } from '../directory/directory.store.ts';
import { analyticsOf } from './analytics.ts';
import { countedOf } from './analytics.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
const timeZone = 'Europe/Berlin';
const monday = '2026-03-23';
const firstWeek = addDays(monday, -35);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
dropWithoutLook('members and their weeks are put down as rows, without the messages behind them');
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const deeds = ['move', 'deactivate', 'reactivate', 'erase'] as const;
type Act = { readonly is: (typeof deeds)[number]; readonly member: number; readonly team: number };
const act: fc.Arbitrary<Act> = fc.record({ is: fc.constantFrom(...deeds), member: fc.nat(60), team: fc.nat(3) });
type Story = {
  readonly sizes: readonly number[];
  /** Whether each member moved, by week. */
  readonly moved: readonly (readonly boolean[])[];
  /** The acts of an admin in the weeks that are over. */
  readonly before: readonly (Act & { readonly day: number })[];
  readonly now: readonly Act[];
};
const story: fc.Arbitrary<Story> = fc.record({
  sizes: fc.array(fc.integer({ min: 3, max: 20 }), { minLength: 2, maxLength: 4 }),
  moved: fc.array(fc.array(fc.boolean(), { minLength: 61, maxLength: 61 }), { minLength: 5, maxLength: 5 }),
  before: fc
    .array(fc.tuple(act, fc.integer({ min: 0, max: 34 })), { maxLength: 6 })
    .map((acts) => acts.map(([one, day]) => ({ ...one, day })).sort((one, other) => one.day - other.day)),
  now: fc.array(act, { minLength: 1, maxLength: 6 }),
});

type Place = { readonly orgId: string; readonly people: readonly string[]; readonly teams: readonly string[] };

async function perform(tx: Tx, { orgId, people, teams }: Place, one: Act, at: string) {
  const userId = people[one.member % people.length] ?? '';
  const whose = { orgId, userId };
  const sets = {
    move: ['team_id = $3', teams[one.team % teams.length]],
    deactivate: ['is_active = false'],
    reactivate: ['is_active = not is_erased'],
    erase: ['is_active = false, is_erased = true'],
  } as const;
  const [set, ...values] = sets[one.is];
  await changeMember(tx, whose, set, values);
  await keepStay(tx, whose, at);
}

/** The organisation as it was before an admin did anything in the week that runs, and what admins are told of it. */
async function liveThrough({ sizes, moved, before }: Story) {
  const orgId = randomUUID();
  const teams = sizes.map(() => randomUUID());
  const people: string[] = [];
  const place: Place = { orgId, people, teams };
  await withSystem(pool, async (tx) => {
    await keepOrganisation(tx, { orgId, timeZone });
    for (const [position, teamId] of teams.entries())
      await addTeam(tx, { orgId, teamId }, { name: `Team ${position}`, emoji: '⚡', position });
    for (const [at, teamId] of teams.entries())
      for (let nth = 0; nth < (sizes[at] ?? 0); nth += 1) {
        const userId = randomUUID();
        people.push(userId);
        const joinedOn = addDays(firstWeek, nth % 4 === 0 ? nth % 30 : -7);
        await addMember(tx, { orgId, userId }, { teamId, name: 'P', timeZone, joinedOn });
        await keepStay(tx, { orgId, userId }, `${joinedOn}T09:00:00.000Z`);
      }
    for (const [week, who] of moved.entries()) {
      const movers = people.filter((_, nth) => who[nth]);
      await tx.query(
        `insert into member_weeks (org_id, user_id, week_starts_on, centimiles, reached_at, version)
         select $1, m, $3, 600, now(), 1 from unnest($2::uuid[]) m`,
        [orgId, movers, addDays(firstWeek, 7 * week)],
      );
    }
    for (const one of before) await perform(tx, place, one, `${addDays(firstWeek, one.day)}T12:00:00.000Z`);
  });
  const read = (running = monday) =>
    Promise.all(
      [4, 12, 26].map(async (weeks) => {
        const period = { monday: running, weeks };
        const counted = await withTenant(pool, orgId, (tx) => countedOf(tx, orgId, period, onlyZone(timeZone)));
        const { members: _today, ...told } = analyticsOf(counted, period);
        return told;
      }),
    );
  const doNow = (one: Act, minute: number) =>
    withSystem(pool, (tx) =>
      perform(tx, place, one, `${addDays(monday, 1)}T12:${String(minute).padStart(2, '0')}:00.000Z`),
    );
  return { read, doNow };
}

const weeksIn = (told: Omit<Analytics, 'members'>) =>
  told.participation.map(({ weekStartsOn, members, moved }) => JSON.stringify({ weekStartsOn, members, moved }));

test('[D3] no move, deactivation, reactivation or leave changes a figure of a week that is over, whatever the period', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (one) => {
      const { read, doNow } = await liveThrough(one);
      const before = await read();
      for (const [nth, next] of one.now.entries()) {
        await doNow(next, nth);
        expect(await read()).toEqual(before);
      }
      const [, , longer] = await read(addDays(monday, 7));
      const [, , shorter] = before;
      if (longer && shorter) expect(weeksIn(longer).slice(0, -1)).toEqual(weeksIn(shorter));
    }),
    { numRuns: 60 },
  );
}, 240_000);

test('[D3] a member who is moved to another team and back leaves both figures as they were', async () => {
  const sizes = [20, 20];
  const { read, doNow } = await liveThrough({
    sizes,
    moved: Array.from({ length: 5 }, () => Array.from({ length: 61 }, (_, nth) => nth < 3 || (nth > 19 && nth < 27))),
    before: [],
    now: [],
  });
  const before = await read();
  expect(before[0]?.teams).toHaveLength(2);
  await doNow({ is: 'move', member: 1, team: 1 }, 0);
  expect(await read()).toEqual(before);
  await doNow({ is: 'move', member: 1, team: 0 }, 1);
  expect(await read()).toEqual(before);
});

test('[D3] teams between which a member went are told together as long as the period has weeks from before', async () => {
  const everybody = Array.from({ length: 5 }, () => Array.from({ length: 61 }, (_, nth) => nth % 3 > 0));
  const move = { is: 'move', member: 1, team: 1, day: 16 } as const;
  const { read } = await liveThrough({ sizes: [20, 20, 20], moved: everybody, before: [move], now: [] });
  const namesOf = (told: Omit<Analytics, 'members'> | undefined) =>
    told?.teams.map(({ names }) => names.map(({ name }) => name).join(' and ')).toSorted();
  expect((await read()).map(namesOf)).toEqual(Array.from({ length: 3 }, () => ['Team 0 and Team 1', 'Team 2']));
  const [fourWeeks] = await read(addDays(monday, 14));
  expect(namesOf(fourWeeks)).toEqual(['Team 0', 'Team 1', 'Team 2']);
});
