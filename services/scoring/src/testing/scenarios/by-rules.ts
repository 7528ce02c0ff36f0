import { addDays } from '@caravan/contracts/domain/time/local-days';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { streakOn } from '@caravan/contracts/domain/movement/streak';
import type { StreakRun } from '@caravan/contracts/domain/movement/streak';
import { fold } from '@caravan/event-store/core/decider';
import { journey } from '../../journey/journey.ts';
import type { JourneyEvent } from '../../journey/journey.ts';
import { arrivalDatesOf, isDue, placeOf } from '../../journey/position.ts';
import { firstRouteId, routeOfId } from '../../journey/position.ts';
import type { LedgerEvent, MilesCredited } from '../../ledger/ledger.ts';
import { figuresWith } from '../../ledger/streaks.ts';
import type { LedgerChange } from '../../ledger/ledger.service.ts';
import { ledger } from '../../ledger/ledger.ts';
import { correctionOf, creditOf, takingBackOf } from '../../ledger/log-facts.ts';
import { milesEntryOf } from '../../ledger/explanation.ts';
import { latestAfter, latestOfAll } from '../../ledger/streaks.ts';
import type { LatestRun } from '../../ledger/streaks.ts';
import { correctedData, loggedData, removedData } from './facts.ts';
import type { LogData } from './facts.ts';
import { inWords, mapOutcome } from './scenario.ts';
import type { MemberOutcome, Outcome, Scenario, Step, TeamOutcome } from './scenario.ts';

type Entry = MilesCredited['data'];
type KnownLog = { data: LogData; revision: number; told: Told[] };
type Told = { readonly change: LedgerChange };

const route = theRoute();
const context = { by: null, orgId: 'organisation', at: new Date('2026-01-01T08:00:00.000Z') };

function theRoute() {
  const first = routeOfId(firstRouteId);
  if (!first) throw new Error('The first route is bundled');
  return first;
}

/** An organisation as the pure rules have it: what they decide is kept in lists and read by plain sums. */
export class ByRules {
  private readonly entries: Entry[] = [];
  private readonly logs = new Map<string, KnownLog>();
  private readonly streams = new Map<string, LedgerEvent[]>();
  private readonly latest = new Map<string, LatestRun>();
  private readonly journey: JourneyEvent[];
  private readonly teams: Map<string, string>;
  private hasFreezes = true;

  constructor(private readonly scenario: Scenario) {
    this.teams = new Map(Object.entries(scenario.given.members));
    const start = { journeyId: 'journey', routeId: firstRouteId, startsOn: '2026-01-01', startedAt: '' };
    this.journey = [...journey.decide({ type: 'BeginJourney', ...start }, journey.initial, context)];
  }

  take(step: Step): void {
    if ('freezes' in step) this.hasFreezes = step.freezes === 'on';
    if ('logs' in step) return this.log(step);
    if ('corrects' in step) return this.correct(step);
    if ('movesTo' in step) return void this.teams.set(step.who, step.movesTo);
    if ('removes' in step) {
      const log = this.logOf(step.removes);
      return this.tell(log, { change: takingBackOf(removedData(log.data), `${step.removes}.gone`) });
    }
    if ('toldAgain' in step) for (const told of this.logOf(step.toldAgain).told) this.enter(told);
  }

  /** What the scenario asks about, as far as the rules alone can say. */
  outcomeSeen({ members, teams }: Outcome): Pick<Outcome, 'members' | 'teams'> {
    return {
      members: mapOutcome(members, (asked, name) => this.memberAs(name, asked)),
      teams: mapOutcome(teams, (asked, name) => this.teamAs(name, asked)),
    };
  }

  private log(step: Extract<Step, { logs: string }>): void {
    const ids = { logId: step.logs, userId: step.who, teamId: this.teams.get(step.who) ?? '' };
    const zone = step.in ?? this.scenario.given.organisation;
    const data = loggedData(step, ids, { zone, ...(step.completes !== undefined && { challengeId: step.completes }) });
    const log = { data, revision: 1, told: [] };
    this.logs.set(step.logs, log);
    this.tell(log, { change: creditOf(data, onlyZone(this.scenario.given.organisation)) });
  }

  private correct(step: Extract<Step, { corrects: string }>): void {
    const log = this.logOf(step.corrects);
    log.revision += 1;
    const data = correctedData(step, log.data, log.revision);
    const entryIds = [`${step.corrects}.${log.revision}.out`, `${step.corrects}.${log.revision}.in`] as const;
    this.tell(log, { change: correctionOf(data, onlyZone(this.scenario.given.organisation), entryIds) });
    log.data = data;
  }

  private logOf(name: string): KnownLog {
    const log = this.logs.get(name);
    if (!log) throw new Error(`${this.scenario.file}: nobody has logged ${name} yet`);
    return log;
  }

  private tell(log: KnownLog, told: Told): void {
    log.told.push(told);
    this.enter(told);
  }

  /** As the consumers do it, with lists where they have rows. */
  private enter({ change: { command, days } }: Told): void {
    const stream = this.streams.get(command.logId) ?? [];
    const events = ledger.decide(command, fold(ledger, stream), context);
    this.streams.set(command.logId, [...stream, ...events]);
    const entries = events.flatMap((event) => (event.type === 'MilesCredited' ? [event.data] : []));
    const [entered] = entries;
    if (!entered) return;
    const { userId, teamId } = entered;
    const counts = this.countsOf(userId);
    const runs = runsOf(Object.keys(counts).filter((day) => (counts[day] ?? 0) > 0));
    const known = { latestRuns: runs.toReversed().slice(0, 2), start: this.latest.get(userId)?.start ?? null };
    this.latest.set(userId, latestAfter(known, days) ?? latestOfAll(runs, days, counts));
    this.entries.push(...entries);
    this.travel(teamId);
  }

  private travel(teamId: string): void {
    const traveller = this.travellerOf(teamId);
    if (!isDue(route, traveller)) return;
    const days = sumsBy(this.entriesOf({ teamId }), ({ creditedOn, centimiles }) => [creditedOn, centimiles]);
    const dates = arrivalDatesOf(
      route,
      Object.entries(days).map(([on, centimiles]) => ({ on, centimiles })),
      traveller.checkpoint,
    );
    const arrivals = dates.map(({ checkpoint, on }) => ({ teamId, checkpoint, reachedAt: on }));
    const command = { type: 'NoteArrivals', journeyId: 'journey', arrivals } as const;
    this.journey.push(...journey.decide(command, fold(journey, this.journey), context));
  }

  private travellerOf(teamId: string) {
    const reached = this.reachedBy(teamId);
    const centimiles = sum(this.entriesOf({ teamId }));
    return { teamId, name: teamId, emoji: '', centimiles, checkpoint: Math.max(0, ...reached) };
  }

  private reachedBy(teamId: string): readonly number[] {
    const state = fold(journey, this.journey);
    return state.is === 'travelling' ? (state.reached[teamId] ?? []) : [];
  }

  private entriesOf(whose: { userId: string } | { teamId: string }): Entry[] {
    return this.entries.filter((entry) =>
      'userId' in whose ? entry.userId === whose.userId : entry.teamId === whose.teamId,
    );
  }

  private countsOf(userId: string): Record<string, number> {
    return sumsBy(this.entriesOf({ userId }), ({ creditedOn, movements = 1 }) => [creditedOn, movements]);
  }

  private weeksOf(entries: readonly Entry[], asked: Readonly<Record<string, number>>): Record<string, number> {
    const weeks = sumsBy(entries, ({ weekStartsOn, centimiles }) => [weekStartsOn, centimiles]);
    return mapOutcome(asked, (_, monday) => milesOf(weeks[monday] ?? 0));
  }

  private memberAs(userId: string, { total, entries, streak, weeks }: MemberOutcome): MemberOutcome {
    const own = this.entriesOf({ userId });
    const { latestRun, streak: standing } = figuresWith(sum(own), this.latest.get(userId) ?? null);
    return {
      ...(total !== undefined && { total: milesOf(sum(own)) }),
      ...(entries && { entries: own.map((entry) => this.explanationOf(entry)) }),
      ...(streak && {
        streak: mapOutcome(streak, (_, on) => inWords(streakOn(latestRun, on, this.hasFreezes ? standing : undefined))),
      }),
      ...(weeks && { weeks: this.weeksOf(own, weeks) }),
    };
  }

  private explanationOf({ kind, logId, centimiles, creditedOn, creditedAt, movements = 1, basis }: Entry): string {
    const activityName = basis.activity === 'custom' ? this.logOf(logId ?? '').data.activityType : basis.activity;
    return milesEntryOf({
      kind,
      logId,
      centimiles,
      movements,
      creditedOn,
      creditedAt: new Date(creditedAt),
      minutes: basis.minutes ?? 0,
      activityName: activityName ?? '',
      durationMinutes: basis.durationMinutes ?? null,
      previousMinutes: basis.previousMinutes ?? null,
      multiplier: basis.multiplier ?? null,
      previousMultiplier: basis.previousMultiplier ?? null,
      challengeName: null,
      notCounted: basis.notCounted ?? null,
    }).explanation;
  }

  private teamAs(teamId: string, { total, weeks, journey: asked, arrivals }: TeamOutcome): TeamOutcome {
    const entries = this.entriesOf({ teamId });
    const { lastCheckpoint: last, nextCheckpoint: next, milesToNext } = placeOf(route, this.travellerOf(teamId));
    return {
      ...(total !== undefined && { total: milesOf(sum(entries)) }),
      ...(weeks && { weeks: this.weeksOf(entries, weeks) }),
      ...(asked && { journey: { last, next, milesToNext } }),
      ...(arrivals && { arrivals: this.reachedBy(teamId).map((nth) => route.checkpoints[nth]?.name ?? '') }),
    };
  }
}

const sum = (entries: readonly Entry[]): number => entries.reduce((total, { centimiles }) => total + centimiles, 0);

function sumsBy(entries: readonly Entry[], of: (entry: Entry) => readonly [string, number]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, amount] of entries.map(of)) sums[key] = (sums[key] ?? 0) + amount;
  return sums;
}

/** Sort, then cut wherever a day is missing. */
function runsOf(days: readonly string[]): StreakRun[] {
  const runs: StreakRun[] = [];
  for (const day of days.toSorted()) {
    const last = runs.at(-1);
    if (last && day === addDays(last.endedOn, 1)) last.endedOn = day;
    else runs.push({ startedOn: day, endedOn: day });
  }
  return runs;
}
