import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { fold } from '@caravan/event-store/core/decider';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEvent, MilesEntry } from './ledger.ts';
import { correctionOf, creditOf, takingBackOf } from './log-facts.ts';
import type { LedgerChange } from './ledger.service.ts';
import { ledger } from './ledger.ts';

// Random histories of several members: logs, corrections, removals, everything told again, in any order across members
// and logs; each log's own facts in theirs, as the topic keeps them.

const zones = ['Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'Pacific/Kiritimati', 'America/New_York'];
const context = { by: null, orgId: 'org', at: new Date(0) };

const figures = fc.record({
  minutes: fc.integer({ min: 1, max: 1440 }),
  multiplier: fc.constantFrom(1, 2),
  isScored: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  // Minutes since three weeks before the clocks of London and New York have both changed.
  start: fc.integer({ min: 0, max: 30 * 1440 }),
});
const aLog = fc.record({
  member: fc.integer({ min: 0, max: 2 }),
  team: fc.integer({ min: 0, max: 1 }),
  zone: fc.constantFrom(...zones),
  versions: fc.array(figures, { minLength: 1, maxLength: 4 }),
  isRemoved: fc.boolean(),
});
const history = fc.record({
  logs: fc.array(aLog, { minLength: 1, maxLength: 6 }),
  anchor: fc.constantFrom('2026-03-01T00:00:00Z', '2026-10-10T00:00:00Z', '2011-12-20T00:00:00Z'),
  organisation: fc.constantFrom(...zones),
  /** Which log speaks next. */
  order: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  /** Which of the facts so far is told again, by turn. */
  echoes: fc.array(fc.option(fc.nat(), { nil: null }), { minLength: 30, maxLength: 30 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;
type Log = History['logs'][number];
const milesOf = ({ minutes, multiplier, isScored }: Log['versions'][number]) =>
  isScored ? minutes * 10 * multiplier : 0;
type Told = { readonly logId: string; readonly member: string; readonly change: LedgerChange };

/** The facts of one log, in order, as scoring makes changes of them. */
function factsOf(log: Log, index: number, { anchor, organisation }: History): Told[] {
  const logId = `log-${index}`;
  const member = `member-${log.member}`;
  const at = (minutes: number) => new Date(Date.parse(anchor) + minutes * 60_000);
  const shown = log.versions.map((version) => {
    const { minutes, multiplier, start } = version;
    return movementFact({
      logId,
      userId: member,
      teamId: `team-${log.team}`,
      durationMinutes: minutes,
      multiplier,
      centimiles: milesOf(version),
      timeZone: log.zone,
      startedAt: at(start).toISOString(),
      loggedOn: localDateOf(at(start), log.zone),
      loggedAt: at(31 * 1440 + index).toISOString(),
    });
  });
  const told = shown.map((one, nth) => {
    const previous = shown[nth - 1];
    if (!previous) return creditOf(one, onlyZone(organisation));
    const correction = { ...one, revision: nth + 1, correctedAt: at(32 * 1440 + nth).toISOString(), previous };
    return correctionOf(correction, onlyZone(organisation), [`${logId}.${nth}.out`, `${logId}.${nth}.in`]);
  });
  const last = shown.at(-1);
  if (log.isRemoved && last)
    told.push(takingBackOf({ ...last, removedAt: at(33 * 1440).toISOString() }, `${logId}.gone`));
  return told.map((change) => ({ logId, member, change }));
}

/** Everything that is told, in the order in which it comes. */
function toldBy(story: History): Told[] {
  const queues = story.logs.map((log, index) => factsOf(log, index, story));
  const told: Told[] = [];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn += 1) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[(story.order[turn % 30] ?? 0) % waiting.length]?.shift();
    if (next) told.push(next);
    const echo = story.echoes[turn % 30];
    const again = echo === null || echo === undefined ? undefined : told[echo % told.length];
    if (again) told.push(again);
  }
  return told;
}

/** Decides on everything that is told; the entries are all that is kept. */
function enteredBy(told: readonly Told[]): MilesEntry[] {
  const streams = new Map<string, LedgerEvent[]>();
  for (const { logId, change } of told) {
    const stream = streams.get(logId) ?? [];
    streams.set(logId, [...stream, ...ledger.decide(change.command, fold(ledger, stream), context)]);
  }
  return [...streams.values()].flat().flatMap((event) => (event.type === 'MilesCredited' ? [event.data] : []));
}

function sums(rows: readonly (readonly [string, number])[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [key, amount] of rows) found[key] = (found[key] ?? 0) + amount;
  return Object.fromEntries(Object.entries(found).filter(([, sum]) => sum !== 0));
}

/** Monday by another way than the product's: through the weekday's name. */
const formats = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    }),
  ]),
);
function mondayOf(instant: Date, zone: string): string {
  const parts = formats.get(zone)?.formatToParts(instant) ?? [];
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(of('weekday'));
  return new Date(Date.UTC(Number(of('year')), Number(of('month')) - 1, Number(of('day')) - weekday))
    .toISOString()
    .slice(0, 10);
}

const kinds = [
  ...zones,
  'short day of London',
  'long day of London',
  'short day of New York',
  'last days of Apia before it changed sides',
  'not scored any more',
  'scored only later',
  'traveller',
  'corrected',
  'moved over midnight',
  'moved over the week',
  'removed after a correction',
  'told twice',
  'told again after a removal',
  'late',
  'members by turns',
  'nothing left',
] as const;
type Kind = (typeof kinds)[number];
const hits = new Map<string, number>();
const specialDays: readonly (readonly [Kind, string, string])[] = [
  ['short day of London', 'Europe/London', '2026-03-29'],
  ['long day of London', 'Europe/London', '2026-10-25'],
  ['short day of New York', 'America/New_York', '2026-03-08'],
  ['last days of Apia before it changed sides', 'Pacific/Apia', '2011-12-29'],
];

/** Which of the rare things a history has. */
function kindsOf({ logs, anchor, organisation }: History, told: readonly Told[]): Set<string> {
  const found = new Set<string>();
  const is = (kind: Kind, holds: boolean) => holds && found.add(kind);
  const at = (start: number) => new Date(Date.parse(anchor) + start * 60_000);
  for (const { zone, versions, isRemoved, member } of logs) {
    found.add(zone);
    const days = versions.map(({ start }) => localDateOf(at(start), zone));
    const weeks = versions.map(({ start }) => mondayOf(at(start), organisation));
    for (const [kind, where, day] of specialDays) is(kind, zone === where && days.includes(day));
    is(
      'traveller',
      logs.some((other) => other.member === member && other.zone !== zone),
    );
    is('corrected', versions.length > 1);
    const switchScoring = (to: boolean) =>
      versions.some(({ isScored }, nth) => versions[nth - 1]?.isScored === !to && isScored === to);
    is('not scored any more', switchScoring(false));
    is('scored only later', switchScoring(true));
    is('moved over midnight', new Set(days).size > 1);
    is('moved over the week', new Set(weeks).size > 1);
    is('removed after a correction', isRemoved && versions.length > 1);
  }
  const removedAt = told.findIndex(({ change }) => change.command.type === 'TakeBackMiles');
  is('told twice', new Set(told).size < told.length);
  is(
    'told again after a removal',
    removedAt >= 0 && told.some(({ logId }, nth) => nth > removedAt && logId === told[removedAt]?.logId),
  );
  const starts = told.flatMap(({ change: { command } }) => (command.type === 'CreditMiles' ? [command.startedAt] : []));
  is(
    'late',
    starts.some((start, nth) => start < (starts[nth - 1] ?? '')),
  );
  const turns = told.filter(({ member }, nth) => member !== told[nth - 1]?.member).length;
  is('members by turns', turns > new Set(told.map(({ member }) => member)).size);
  is(
    'nothing left',
    logs.every(({ isRemoved }) => isRemoved),
  );
  return found;
}

test('[D5 D8 D9 D10] whatever happens to logs, entries add up to what is left of them: by member, week, date and team', () => {
  let nth = 0;
  const property = fc.property(history, (story) => {
    const told = toldBy(story);
    // Looking at every fifth history is enough, and costs a fifth.
    if ((nth += 1) % 5 === 0) for (const kind of kindsOf(story, told)) hits.set(kind, (hits.get(kind) ?? 0) + 1);
    const entries = enteredBy(told);
    const left = story.logs.flatMap((log) => {
      const last = log.versions.at(-1);
      if (log.isRemoved || !last?.isScored) return [];
      const startedAt = new Date(Date.parse(story.anchor) + last.start * 60_000);
      const week = mondayOf(startedAt, story.organisation);
      const day = localDateOf(startedAt, log.zone);
      return [{ ...log, week, day, minutes: last.minutes, centimiles: milesOf(last) }];
    });
    const by = (keyOf: (entry: MilesEntry) => string, of: (entry: MilesEntry) => number) =>
      sums(entries.map((entry) => [keyOf(entry), of(entry)] as const));
    const oracle = (keyOf: (log: (typeof left)[number]) => string, of: (log: (typeof left)[number]) => number) =>
      sums(left.map((log) => [keyOf(log), of(log)] as const));
    expect({
      members: by(
        ({ userId }) => userId,
        ({ centimiles }) => centimiles,
      ),
      teams: by(
        ({ teamId, weekStartsOn }) => `${teamId} ${weekStartsOn}`,
        ({ centimiles }) => centimiles,
      ),
      weeks: by(
        ({ userId, weekStartsOn }) => `${userId} ${weekStartsOn}`,
        ({ centimiles }) => centimiles,
      ),
      minutes: by(
        ({ userId }) => userId,
        ({ basis }) => basis.minutes ?? 0,
      ),
      days: by(
        ({ userId, creditedOn }) => `${userId} ${creditedOn}`,
        ({ movements = 1 }) => movements,
      ),
    }).toEqual({
      members: oracle(
        ({ member }) => `member-${member}`,
        ({ centimiles }) => centimiles,
      ),
      teams: oracle(
        ({ team, week }) => `team-${team} ${week}`,
        ({ centimiles }) => centimiles,
      ),
      weeks: oracle(
        ({ member, week }) => `member-${member} ${week}`,
        ({ centimiles }) => centimiles,
      ),
      minutes: oracle(
        ({ member }) => `member-${member}`,
        ({ minutes }) => minutes,
      ),
      days: oracle(
        ({ member, day }) => `member-${member} ${day}`,
        () => 1,
      ),
    });
    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length);
  });
  fc.assert(property, { numRuns: 10_000 });
  // A generator that stops producing one of these proves nothing of it any more.
  for (const kind of kinds) expect(hits.get(kind), kind).toBeGreaterThan(5);
}, 120_000);
