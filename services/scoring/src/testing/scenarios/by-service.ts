import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Envelope } from '@caravan/contracts/events/envelope';
import type { Listener } from '@caravan/messaging/testing/listener';
import { expect } from 'vitest';
import { WeeklyChallengesController } from '../../weekly-challenges/weekly-challenges.controller.ts';
import { minPosition, movementLogged } from '../scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../scoring-under-test.ts';
import { AsSeen, sortOutcome } from './as-seen.ts';
import { Cast } from './cast.ts';
import { correctedData, loggedData, removedData } from './facts.ts';
import type { LogData } from './facts.ts';
import { mapOutcome } from './scenario.ts';
import type { Outcome, Scenario, Step } from './scenario.ts';

type KnownLog = { readonly owner: string; data: LogData; revision: number; readonly said: Envelope[] };
type Service = { readonly scoring: ScoringUnderTest; readonly scores: Listener };

/** A scenario on the running service: everything is said twice, everything seen as members see it. */
export class ByService {
  private readonly logs = new Map<string, KnownLog>();
  private readonly bonusChallenges = new Map<string, string>();
  private readonly seen: AsSeen;

  private constructor(
    private readonly service: Service,
    private readonly scenario: Scenario,
    private readonly cast: Cast,
  ) {
    this.seen = new AsSeen(cast, service.scores);
  }

  /** With the scenario's organisation founded for it. */
  static async found(service: Service, scenario: Scenario): Promise<ByService> {
    const { scoring } = service;
    const { members, organisation } = scenario.given;
    const founded = await scoring.foundOrganisation(Object.keys(members), organisation, (name) => members[name]);
    await scoring.identity.redeliver(...founded.said);
    const byService = new ByService(service, scenario, new Cast(scoring, scenario, founded));
    await byService.caughtUp(minPosition('identity', founded.said));
    return byService;
  }

  async take(step: Step): Promise<void> {
    if ('then' in step) return this.see(step.then);
    if ('claims' in step) return this.claim(step);
    if ('movesTo' in step) return this.move(step);
    if ('freezes' in step) return this.switchFreezes(step);
    if ('toldAgain' in step) return this.service.scoring.activity.redeliver(...this.logOf(step.toldAgain).said);
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
    const left = `select 1 from pending_claim_reviews where org_id = $1 union all select 1 from pending_team_credit_sets where org_id = $1`;
    const { members, teams, board } = outcome;
    // Each look asks much: not too often.
    await eventually(async () => expect(await this.service.scoring.rows(this.cast.orgId, left)).toEqual([]));
    await eventually(async () => {
      expect(await this.seen.of(outcome)).toEqual({ members: mapOutcome(members, sortOutcome), teams, board });
    });
  }

  /** Everything once more, the last first. Whoever is read then has heard all of it: by a log elsewhere that came after. */
  async tellAllAgain(elsewhere: { readonly orgId: string; readonly teamId: string }): Promise<void> {
    const { activity } = this.service.scoring;
    await activity.redeliver(...[...this.logs.values()].flatMap(({ said }) => said).toReversed());
    for (const member of this.cast.all) {
      const said = await activity.publish(movementLogged({ ...member, ...elsewhere }));
      await this.caughtUp(minPosition('activity', said), member);
    }
  }

  private async log(step: Extract<Step, { logs: string }>): Promise<void> {
    const { userId, teamId } = this.cast.memberOf(step.who);
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
    const key = this.cast.memberOf(log.owner).userId;
    const said = await activity.publish({ type, version: 1, orgId: this.cast.orgId, key, data });
    await activity.redeliver(...said);
    log.said.push(...said);
    await this.caughtUp(minPosition('activity', said), this.cast.memberOf(log.owner));
  }

  private async claim({ who, claims, at, gets }: Extract<Step, { claims: string }>): Promise<void> {
    const controller = this.service.scoring.app.get(WeeklyChallengesController);
    const caller = this.cast.callerAt(who, at.instant);
    const id = await this.cast.challengeIdOf(who, claims);
    const answers = await Promise.all([controller.complete(caller, { id }), controller.complete(caller, { id })]);
    expect(answers, `${who} claims ${claims}`).toEqual([{ completed: gets }, { completed: gets }]);
  }

  private async move({ who, movesTo, at }: Extract<Step, { movesTo: string }>): Promise<void> {
    const member = this.cast.memberOf(who);
    const teamId = this.cast.teamIdOf(movesTo);
    const data = { userId: member.userId, fromTeamId: member.teamId, teamId, movedAt: at.instant.toISOString() };
    await this.caughtUp(await this.service.scoring.tell(this.cast.orgId, { type: 'MemberMoved', data }));
    this.cast.move(who, teamId);
  }

  private async switchFreezes({ freezes, at }: Extract<Step, { freezes: string }>): Promise<void> {
    const data = { areOn: freezes === 'on', switchedAt: at.instant.toISOString() };
    await this.caughtUp(await this.service.scoring.tell(this.cast.orgId, { type: 'StreakFreezesSwitched', data }));
    this.cast.hasFreezes = data.areOn;
  }

  private bonusChallengeOf(name: string): string {
    const id = this.bonusChallenges.get(name) ?? randomUUID();
    this.bonusChallenges.set(name, id);
    return id;
  }

  /** Waits until the service has heard of it. */
  private async caughtUp(header: Record<string, string>, member: TestMember = this.cast.anybody): Promise<void> {
    const api = await this.service.scoring.as(member);
    await eventually(async () => {
      const { status, headers } = await api.get('/api/dashboard/stats', header);
      expect([status, headers.get('x-stale')]).toEqual([200, null]);
    });
  }

  private logOf(name: string): KnownLog {
    const log = this.logs.get(name);
    if (!log) throw new Error(`${this.scenario.file}: nobody has logged ${name} yet`);
    return log;
  }
}
