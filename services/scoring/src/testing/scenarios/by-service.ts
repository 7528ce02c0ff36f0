import { randomUUID } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { earnedBadgesSchema } from '@caravan/contracts/http/badges';
import { journeySchema } from '@caravan/contracts/http/journeys';
import { leaderboardSchema, milesSchema } from '@caravan/contracts/http/scores';
import { milesCredited } from '@caravan/contracts/scoring.events';
import type { Envelope } from '@caravan/contracts/envelope';
import { streakOn } from '@caravan/contracts/streak';
import type { Listener } from '@caravan/messaging/testing/listener';
import { expect, vi } from 'vitest';
import { DashboardController } from '../../dashboard/dashboard.controller.ts';
import { WeeklyChallengesController } from '../../weekly-challenges/weekly-challenges.controller.ts';
import { eventually, minPosition, movementLogged } from '../scoring-under-test.ts';
import type { ScoringUnderTest, TestMember, TestTeam } from '../scoring-under-test.ts';
import { correctedData, loggedData, removedData } from './facts.ts';
import type { LogData } from './facts.ts';
import { inWords, mapped } from './scenario.ts';
import type { MemberOutcome, Outcome, Scenario, Step, TeamOutcome } from './scenario.ts';

type KnownLog = { readonly owner: string; data: LogData; revision: number; readonly said: Envelope[] };
type Service = { readonly scoring: ScoringUnderTest; readonly scores: Listener };

/** An organisation of a scenario on the running service: everything is said twice, everything seen as members see it. */
export class ByService {
  private readonly members = new Map<string, TestMember>();
  private readonly logs = new Map<string, KnownLog>();
  private readonly bonusChallenges = new Map<string, string>();
  private teams: readonly TestTeam[] = [];
  private orgId = '';
  private hasFreezes = true;

  constructor(
    private readonly service: Service,
    private readonly scenario: Scenario,
  ) {}

  async found(): Promise<void> {
    const { scoring } = this.service;
    const { members, organisation } = this.scenario.given;
    const founded = await scoring.found(Object.keys(members), organisation, (name) => members[name]);
    await scoring.identity.repeat(...founded.said);
    this.orgId = founded.orgId;
    this.teams = founded.teams;
    for (const member of founded.members) this.members.set(member.name, member);
    await this.caughtUp(minPosition('identity', founded.said));
  }

  async take(step: Step): Promise<void> {
    if ('then' in step) return this.see(step.then);
    if ('claims' in step) return this.claim(step);
    if ('movesTo' in step) return this.move(step);
    if ('freezes' in step) return this.switchFreezes(step);
    if ('toldAgain' in step) return this.service.scoring.activity.repeat(...this.logOf(step.toldAgain).said);
    if ('logs' in step) return this.log(step);
    const log = this.logOf('corrects' in step ? step.corrects : step.removes);
    if ('removes' in step) return this.tell(log, 'MovementRemoved', removedData(log.data));
    log.revision += 1;
    const data = correctedData(step, log.data, log.revision);
    await this.tell(log, 'MovementCorrected', data);
    log.data = data;
  }

  /** Once nothing is on its way any more, members see what the scenario says. */
  async see(outcome: Outcome): Promise<void> {
    const left = `select 1 from claims_in_doubt where org_id = $1 union all select 1 from fresh_credits where org_id = $1`;
    const { members, teams, board } = outcome;
    // Each look asks much: not too often.
    const patience = { timeout: 30_000, interval: 150 };
    await vi.waitFor(async () => expect(await this.service.scoring.rows(this.orgId, left)).toEqual([]), patience);
    await vi.waitFor(async () => {
      expect({
        members: await answered(members, (asked, name) => this.memberAs(name, asked)),
        teams: await answered(teams, (asked, name) => this.teamAs(name, asked)),
        board: board && (await this.board()),
      }).toEqual({ members: mapped(members, sorted), teams, board });
    }, patience);
  }

  /** Everything once more, the last first. Whoever is read then has heard all of it: by a log elsewhere that came after. */
  async tellAllAgain(elsewhere: { readonly orgId: string; readonly teamId: string }): Promise<void> {
    const { activity } = this.service.scoring;
    await activity.repeat(...[...this.logs.values()].flatMap(({ said }) => said).toReversed());
    for (const member of this.members.values()) {
      const said = await activity.say(movementLogged({ ...member, ...elsewhere }));
      await this.caughtUp(minPosition('activity', said), member.name);
    }
  }

  private async log(step: Extract<Step, { logs: string }>): Promise<void> {
    const { userId, teamId } = this.memberOf(step.who);
    const zone = step.in ?? this.scenario.given.organisation;
    const challengeId = step.completes === undefined ? undefined : this.bonusChallengeOf(step.completes);
    const about = { zone, ...(challengeId !== undefined && { challengeId }) };
    const data = loggedData(step, { userId, teamId, logId: randomUUID() }, about);
    const log = { owner: step.who, data, revision: 1, said: [] };
    this.logs.set(step.logs, log);
    await this.tell(log, 'MovementLogged', data);
  }

  private async tell(log: KnownLog, type: string, data: object): Promise<void> {
    const { activity } = this.service.scoring;
    const key = this.memberOf(log.owner).userId;
    const said = await activity.say({ type, version: 1, orgId: this.orgId, key, data });
    await activity.repeat(...said);
    log.said.push(...said);
    await this.caughtUp(minPosition('activity', said), log.owner);
  }

  private async claim({ who, claims, at, gets }: Extract<Step, { claims: string }>): Promise<void> {
    const controller = this.service.scoring.app.get(WeeklyChallengesController);
    const caller = this.callerAt(who, at.instant);
    const id = await this.challengeIdOf(who, claims);
    const answers = await Promise.all([controller.complete(caller, { id }), controller.complete(caller, { id })]);
    expect(answers, `${who} claims ${claims}`).toEqual([{ completed: gets }, { completed: gets }]);
  }

  private async move({ who, movesTo, at }: Extract<Step, { movesTo: string }>): Promise<void> {
    const member = this.memberOf(who);
    const teamId = this.teamIdOf(movesTo);
    const data = { userId: member.userId, fromTeamId: member.teamId, teamId, movedAt: at.instant.toISOString() };
    await this.caughtUp(await this.service.scoring.tell(this.orgId, { type: 'MemberMoved', data }));
    this.members.set(who, { ...member, teamId });
  }

  private async switchFreezes({ freezes, at }: Extract<Step, { freezes: string }>): Promise<void> {
    const data = { areOn: freezes === 'on', switchedAt: at.instant.toISOString() };
    await this.caughtUp(await this.service.scoring.tell(this.orgId, { type: 'StreakFreezesSwitched', data }));
    this.hasFreezes = data.areOn;
  }

  private async memberAs(name: string, asked: MemberOutcome): Promise<MemberOutcome> {
    const api = await this.service.scoring.as(this.memberOf(name));
    const miles = async () => milesSchema.parse((await api.get('/api/miles?limit=50')).body);
    const badges = async () => earnedBadgesSchema.parse((await api.get('/api/user/badges')).body);
    const board = async () => leaderboardSchema.parse((await api.get('/api/leaderboard')).body);
    const { total, entries, streak, weeks, challenges, rank } = asked;
    return sorted({
      ...(total !== undefined && { total: (await miles()).totalMiles }),
      ...(entries && { entries: (await miles()).entries.map(({ explanation }) => explanation) }),
      ...(streak && { streak: this.streakOf(name, streak) }),
      ...(asked.badges && { badges: (await badges()).map(({ badgeName }) => badgeName) }),
      ...(weeks && { weeks: await answered(weeks, (_, monday) => this.weekOf(name, monday)) }),
      ...(challenges && { challenges: await answered(challenges, (_, id) => this.progressOf(name, id)) }),
      ...(rank !== undefined && { rank: (await board()).userPosition }),
    });
  }

  /** What other services make of the last that scoring told of the member. */
  private streakOf(name: string, asked: NonNullable<MemberOutcome['streak']>) {
    const { userId } = this.memberOf(name);
    const told = this.service.scores.heard.filter(
      ({ type, orgId, key }) => [type, orgId, key].join() === ['MilesCredited', this.orgId, userId].join(),
    );
    const last = told.toSorted((a, b) => a.position - b.position).at(-1);
    const { latestRun, streak } = last ? milesCredited.data.parse(last.data) : { latestRun: null, streak: undefined };
    return mapped(asked, (_, on) => inWords(streakOn(latestRun, on, this.hasFreezes ? streak : undefined)));
  }

  private async teamAs(name: string, asked: TeamOutcome): Promise<TeamOutcome> {
    const viewer = await this.service.scoring.as(this.viewerOf(name));
    const { teams } = leaderboardSchema.parse((await viewer.get('/api/leaderboard')).body);
    const board = teams.find((team) => team.name === name);
    const journey = journeySchema.parse((await viewer.get('/api/journey')).body);
    const place = journey.teams.find((team) => team.name === name);
    if (!board || !place) throw new Error(`${name} is nowhere`);
    const { lastCheckpoint: last, nextCheckpoint: next, milesToNext } = place;
    return {
      ...(asked.total !== undefined && { total: board.totalMiles }),
      ...(asked.weeks && { weeks: await answered(asked.weeks, (_, monday) => this.teamWeekOf(name, monday)) }),
      ...(asked.rank !== undefined && { rank: board.rank }),
      ...(asked.journey && { journey: { last, next, milesToNext } }),
      ...(asked.arrivals && { arrivals: journey.reached.map(({ checkpoint }) => checkpoint) }),
    };
  }

  private async board(): Promise<string[]> {
    const [anybody] = this.members.values();
    if (!anybody) throw new Error('An organisation has members');
    const { body } = await (await this.service.scoring.as(anybody)).get('/api/leaderboard');
    return leaderboardSchema.parse(body).users.map(({ rank, name, totalMiles }) => `${rank} ${name} ${totalMiles}`);
  }

  private async statsOf(name: string, monday: string) {
    // Wherever the organisation is, the week has begun by then.
    const at = new Date(Date.parse(monday) + 36 * 3_600_000);
    return this.service.scoring.app.get(DashboardController).stats(this.callerAt(name, at));
  }

  private weekOf = async (name: string, monday: string): Promise<number> =>
    (await this.statsOf(name, monday)).weeklyMiles;

  private async teamWeekOf(team: string, monday: string): Promise<number> {
    const { teamProgress } = await this.statsOf(this.viewerOf(team).name, monday);
    return teamProgress.find(({ name }) => name === team)?.miles ?? 0;
  }

  private async progressOf(who: string, challenge: string) {
    const controller = this.service.scoring.app.get(WeeklyChallengesController);
    const id = await this.challengeIdOf(who, challenge);
    const { currentProgress, bonusAwarded } = await controller.progress(this.callerAt(who, new Date()), { id });
    return { progress: currentProgress, hasBonus: bonusAwarded };
  }

  private async challengeIdOf(who: string, challenge: string): Promise<string> {
    const { week } = this.scenario.given;
    if (week === undefined) throw new Error(`${this.scenario.file}: say the week whose challenges are meant`);
    const at = new Date(Date.parse(week) + 36 * 3_600_000);
    const list = await this.service.scoring.app.get(WeeklyChallengesController).list(this.callerAt(who, at));
    const found = list.find(({ name, weekStart }) => name === challenge && weekStart === week);
    if (!found) throw new Error(`${this.scenario.file}: there is no ${challenge}`);
    return found.id;
  }

  private bonusChallengeOf(name: string): string {
    const id = this.bonusChallenges.get(name) ?? randomUUID();
    this.bonusChallenges.set(name, id);
    return id;
  }

  /** A request as the guard hands it over, at an instant of the scenario. */
  private callerAt(name: string, at: Date): Caller {
    const { userId, orgId } = this.memberOf(name);
    const meta = { orgId, actorId: userId, at, key: userId };
    return { userId, orgId, at, meta, sessionId: randomUUID(), role: 'member' };
  }

  /** Waits until the service has heard of it. */
  private async caughtUp(header: Record<string, string>, name = [...this.members.keys()][0] ?? ''): Promise<void> {
    const api = await this.service.scoring.as(this.memberOf(name));
    await eventually(async () => {
      const { status, headers } = await api.get('/api/dashboard/stats', header);
      expect([status, headers.get('x-stale')]).toEqual([200, null]);
    });
  }

  private memberOf(name: string): TestMember {
    const member = this.members.get(name);
    if (!member) throw new Error(`${this.scenario.file}: nobody is called ${name}`);
    return member;
  }

  /** A team's arrivals are shown to its members. */
  private viewerOf(team: string): TestMember {
    const teamId = this.teamIdOf(team);
    const viewer =
      [...this.members.values()].find((member) => member.teamId === teamId) ?? [...this.members.values()][0];
    if (!viewer) throw new Error('An organisation has members');
    return viewer;
  }

  private teamIdOf(name: string): string {
    const team = this.teams.find((one) => one.name === name);
    if (!team) throw new Error(`There is no team ${name}`);
    return team.teamId;
  }

  private logOf(name: string): KnownLog {
    const log = this.logs.get(name);
    if (!log) throw new Error(`${this.scenario.file}: nobody has logged ${name} yet`);
    return log;
  }
}

/** In an order of their own: what a sweep enters bears the time of the sweep, not of the scenario. */
function sorted({ entries, badges, ...outcome }: MemberOutcome): MemberOutcome {
  return { ...outcome, ...(entries && { entries: entries.toSorted() }), ...(badges && { badges: badges.toSorted() }) };
}

async function answered<Asked, Seen>(
  asked: Readonly<Partial<Record<string, Asked>>>,
  see: (one: Asked, key: string) => Promise<Seen>,
): Promise<Record<string, Seen>> {
  const promises = mapped(asked, see);
  const keys = Object.keys(promises);
  const seen = await Promise.all(Object.values(promises));
  return Object.fromEntries(seen.map((one, nth) => [keys[nth] ?? '', one]));
}
