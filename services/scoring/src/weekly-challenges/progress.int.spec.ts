import { casesOf } from '@caravan/contracts/testing/full';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { fold as foldEvents } from '@caravan/event-store/core/decider';
import { createPatientPool, createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import fc from 'fast-check';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aggregateSql } from '../leaderboards/pending-team-credits.store.ts';
import { intoSetsSql } from '../ledger/index.ts';
import type { MilesCredited } from '../ledger/ledger.ts';
import { correctionOf, creditOf, takingBackOf } from '../ledger/log-facts.ts';
import { ledger } from '../ledger/ledger.ts';
import { figuresFor, ownFiguresSql, teamFiguresSql } from './progress.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
let database: Awaited<ReturnType<typeof createTestDatabase>>;
dropWithoutLook('entries are put down as rows: 10,000 histories of events would take minutes');
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const zones = ['Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const numRuns = casesOf({ core: 2_000, full: 10_000 });
// The last week of summer time in London, with days on both sides.
const from = Date.parse('2026-10-16T00:00:00Z');
const weekStartsOn = '2026-10-19';

const version = fc.record({
  minutes: fc.integer({ min: 1, max: 1440 }),
  multiplier: fc.constantFrom(1, 2),
  startMinute: fc.integer({ min: 0, max: 14 * 1440 }),
});
const aHistory = fc.record({
  organisationZone: fc.constantFrom(...zones),
  logs: fc.array(
    fc.record({
      member: fc.nat({ max: 1 }),
      team: fc.nat({ max: 1 }),
      zone: fc.constantFrom(...zones),
      versions: fc.array(version, { minLength: 1, maxLength: 3 }),
      isRemoved: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});
type History = typeof aHistory extends fc.Arbitrary<infer Value> ? Value : never;
type Log = History['logs'][number];
type Cast = { readonly members: readonly string[]; readonly teams: readonly string[] };

const dateIn = (milliseconds: number, timeZone: string) => localDateOf(new Date(milliseconds), timeZone);

/** The entries that a log leaves behind, by the ledger's own rules. */
function entriesOf(log: Log, { organisationZone }: History, { members, teams }: Cast): MilesCredited[] {
  const ids = { logId: randomUUID(), userId: members[log.member] ?? '', teamId: teams[log.team] ?? '' };
  const events: MilesCredited[] = [];
  const tell = (command: Parameters<typeof ledger.decide>[0]) =>
    events.push(
      ...ledger
        .decide(command, foldEvents(ledger, events), { by: null, orgId: '', at: new Date(0) })
        .filter((event) => event.type === 'MilesCredited'),
    );
  const facts = log.versions.map(({ minutes, multiplier, startMinute }) =>
    movementFact({
      ...ids,
      timeZone: log.zone,
      durationMinutes: minutes,
      multiplier,
      centimiles: minutes * 10 * multiplier,
      startedAt: new Date(from + startMinute * 60_000).toISOString(),
      loggedAt: new Date(from + (15 * 1440 + 1) * 60_000).toISOString(),
      loggedOn: dateIn(from + startMinute * 60_000, log.zone),
    }),
  );
  for (const [nth, fact] of facts.entries()) {
    const previous = facts[nth - 1];
    const correctedAt = '2026-11-02T00:00:00.000Z';
    if (!previous) tell(creditOf(fact, onlyZone(organisationZone)).command);
    else
      tell(
        correctionOf({ ...fact, revision: nth + 1, correctedAt, previous }, onlyZone(organisationZone), [
          randomUUID(),
          randomUUID(),
        ]).command,
      );
  }
  const last = facts.at(-1);
  if (log.isRemoved && last)
    tell(takingBackOf({ ...last, removedAt: '2026-11-03T00:00:00.000Z' }, randomUUID()).command);
  return events;
}

/** The oracle knows no entries: what is left of each log counts where its last version lies. */
function expectedOf({ organisationZone, logs }: History, counts: (log: Log) => boolean) {
  const left = logs.flatMap((log) => {
    const last = log.versions.at(-1);
    if (!last || log.isRemoved || !counts(log)) return [];
    const startedAt = from + last.startMinute * 60_000;
    const date = dateIn(startedAt, organisationZone);
    const isInWeek = date >= '2026-10-19' && date <= '2026-10-25';
    return isInWeek ? [{ ...last, day: `${log.member} ${dateIn(startedAt, log.zone)}` }] : [];
  });
  return {
    centimiles: left.reduce((sum, { minutes, multiplier }) => sum + minutes * 10 * multiplier, 0),
    minutes: left.reduce((sum, { minutes }) => sum + minutes, 0),
    activities: left.length,
    days: new Set(left.map(({ day }) => day)).size,
  };
}

/** Entries as the ledger's projection writes them: those of teams' sums wait beside. */
async function write(orgId: string, events: readonly MilesCredited[]): Promise<void> {
  const rows = events.map(({ data: { basis, ...data } }) => ({
    org_id: orgId,
    entry_id: data.entryId,
    kind: data.kind,
    log_id: data.logId,
    user_id: data.userId,
    team_id: data.teamId,
    centimiles: data.centimiles,
    credited_on: data.creditedOn,
    week_starts_on: data.weekStartsOn,
    credited_at: data.creditedAt,
    movements: data.movements ?? 1,
    minutes: basis.minutes ?? 0,
  }));
  await withSystem(pool, (tx) =>
    tx.query(
      `insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on,
         week_starts_on, credited_at, movements, minutes)
       select org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on, credited_at,
         movements, minutes from json_populate_recordset(null::ledger_entries, $1)`,
      [JSON.stringify(rows)],
    ),
  );
  await withSystem(pool, (tx) =>
    tx.query(waitingSql('json_populate_recordset(null::ledger_entries, $1)'), [JSON.stringify(rows)]),
  );
}

/** Ten at a time and in no order, so that any of a history may wait. */
const waitingSql = (entries: string) =>
  intoSetsSql(
    `(select org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, credited_at,
        null::timestamptz as week_reached_at, case when log_id is not null then movements end as movements,
        case when log_id is not null then minutes end as minutes
      from ${entries}) e`,
    'credited_at',
    10,
  );

/** Moves a share of what waits into the sums, in no order. */
async function aggregate(orgId: string, share: number): Promise<void> {
  await withSystem(pool, async (tx) => {
    const waiting = `select set_id from pending_team_credit_sets where org_id = $1 and random() < $2`;
    const { rows } = await tx.query<{ setId: string }>(waiting, [orgId, share]);
    await tx.query(aggregateSql, [orgId, rows.map(({ setId }) => setId)]);
  });
}

type Case = { readonly history: History; readonly cast: Cast };

/** Answers how many logs the histories' first members have left. */
async function compare(orgId: string, cases: readonly Case[]): Promise<number> {
  let reached = 0;
  const found = await withSystem(pool, (tx) =>
    Promise.all(
      cases.flatMap(({ cast: { members, teams } }) => {
        const whose = { orgId, userId: members[0] ?? '', teamId: teams[0] ?? '' };
        return (['individual', 'team'] as const).map((challengeType) =>
          figuresFor(tx, whose, { challengeType, weekStartsOn }),
        );
      }),
    ),
  );
  for (const [nth, { history }] of cases.entries()) {
    const own = expectedOf(history, ({ member }) => member === 0);
    const teams = expectedOf(history, ({ team }) => team === 0);
    expect([found[2 * nth], found[2 * nth + 1]], JSON.stringify(history)).toEqual([own, teams]);
    reached += own.activities;
  }
  return reached;
}

test('[3.29 4.20 D8 D10 D14] progress is what is left of the logs, whatever was corrected, moved or removed', async () => {
  const cases = fc.sample(aHistory, numRuns).map((history) => ({
    history,
    cast: { members: [randomUUID(), randomUUID()], teams: [randomUUID(), randomUUID()] },
  }));
  let reached = 0;
  for (let start = 0; start < cases.length; start += 250) {
    const orgId = randomUUID();
    const part = cases.slice(start, start + 250);
    await write(
      orgId,
      part.flatMap(({ history, cast }) => history.logs.flatMap((log) => entriesOf(log, history, cast))),
    );
    // Some in the sums and some not, then all of them: the figures are the same.
    for (const share of [0.5, 1.1]) {
      await aggregate(orgId, share);
      reached += await compare(orgId, part);
    }
  }
  // Otherwise nothing was compared.
  expect(reached).toBeGreaterThan(numRuns / 5);
}, 240_000);

/** Buffers that a statement touches. */
const buffersOf = async (orgId: string, text: string, values: readonly unknown[]): Promise<number> =>
  blocksOf(await planOf(pool, orgId, text, values));

const entries = (whose: { user: string; on: string }) => `
  insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on,
    credited_at, minutes)
  select $1, id, 'log', id, ${whose.user}, $2, 300, ${whose.on}, date_trunc('week', ${whose.on}), ${whose.on}, 30
  from (select n, uuidv7() as id from generate_series(1, 20000) n) n`;

test('[G5] progress touches no more rows in a team of thousands, nor after thousands of logs of the member', async () => {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const userId = randomUUID();
  await withSystem(pool, async (tx) => {
    await tx.query(entries({ user: 'uuidv7()', on: `date '2026-10-19' + (n % 7)` }), [orgId, teamId]);
    await tx.query(entries({ user: `'${userId}'`, on: `date '2026-10-22' - (n / 10)` }), [orgId, teamId]);
    await tx.query(waitingSql('ledger_entries where org_id = $1'), [orgId]);
  });
  await aggregate(orgId, 1.1);
  const owner = createPatientPool(database.ownerUrl);
  for (const table of ['ledger_entries', 'pending_team_credit_sets', 'team_weeks', 'team_week_days'])
    await owner.query(`vacuum analyze ${table}`);
  await owner.end();
  const figures = { orgId, userId, teamId };
  const figuresOf = (challengeType: 'individual' | 'team') =>
    withSystem(pool, (tx) => figuresFor(tx, figures, { challengeType, weekStartsOn }));
  expect((await figuresOf('individual')).activities).toBe(39);
  expect((await figuresOf('team')).activities).toBe(20_039);
  expect(await buffersOf(orgId, teamFiguresSql, [orgId, weekStartsOn, teamId])).toBeLessThanOrEqual(20);
  expect(await buffersOf(orgId, ownFiguresSql, [orgId, weekStartsOn, userId])).toBeLessThanOrEqual(60);
});
