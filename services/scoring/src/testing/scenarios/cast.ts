import { randomUUID } from '@caravan/contracts/testing/seeded';
import { personKey } from '@caravan/contracts/events/fact-key';
import type { Caller } from '@caravan/auth/claims';
import { WeeksService } from '../../weekly-challenges/weeks.service.ts';
import { WeeklyChallengesController } from '../../weekly-challenges/weekly-challenges.controller.ts';
import type { ScoringUnderTest, TestMember, TestTeam } from '../scoring-under-test.ts';
import type { Scenario } from './scenario.ts';

/** The organisation of a scenario on the running service: its members and teams by the names the scenario has for them. */
export class Cast {
  private readonly members: Map<string, TestMember>;
  readonly orgId: string;
  readonly scoring: ScoringUnderTest;
  private readonly scenario: Scenario;
  private readonly teams: readonly TestTeam[];
  hasFreezes = true;

  constructor(
    scoring: ScoringUnderTest,
    scenario: Scenario,
    founded: { readonly orgId: string; readonly teams: readonly TestTeam[]; readonly members: readonly TestMember[] },
  ) {
    this.scoring = scoring;
    this.scenario = scenario;
    this.orgId = founded.orgId;
    this.teams = founded.teams;
    this.members = new Map(founded.members.map((member) => [member.name, member]));
  }

  get all(): readonly TestMember[] {
    return [...this.members.values()];
  }

  get anybody(): TestMember {
    const [anybody] = this.all;
    if (!anybody) throw new Error('An organisation has members');
    return anybody;
  }

  move(name: string, teamId: string): void {
    this.members.set(name, { ...this.memberOf(name), teamId });
  }

  memberOf(name: string): TestMember {
    const member = this.members.get(name);
    if (!member) throw new Error(`${this.scenario.file}: nobody is called ${name}`);
    return member;
  }

  /** A team's arrivals are shown to its members. */
  viewerOf(team: string): TestMember {
    const teamId = this.teamIdOf(team);
    return this.all.find((member) => member.teamId === teamId) ?? this.anybody;
  }

  teamIdOf(name: string): string {
    const team = this.teams.find((one) => one.name === name);
    if (!team) throw new Error(`There is no team ${name}`);
    return team.teamId;
  }

  /** A request as the guard hands it over, at an instant of the scenario. */
  callerAt(name: string, at: Date): Caller {
    const { userId, orgId } = this.memberOf(name);
    const meta = { orgId, actorId: userId, at, key: personKey(userId) };
    return { userId, orgId, at, meta, sessionId: randomUUID(), role: 'member' };
  }

  async challengeIdOf(who: string, challenge: string): Promise<string> {
    const { week } = this.scenario.given;
    if (week === undefined) throw new Error(`${this.scenario.file}: say the week whose challenges are meant`);
    const at = new Date(Date.parse(week) + 36 * 3_600_000);
    const caller = this.callerAt(who, at);
    // The schedule does this at that time.
    await this.scoring.app.get(WeeksService).openRunning(caller.orgId, at);
    const list = await this.scoring.app.get(WeeklyChallengesController).list(caller);
    const found = list.find(({ name, weekStart }) => name === challenge && weekStart === week);
    if (!found) throw new Error(`${this.scenario.file}: there is no ${challenge}`);
    return found.id;
  }
}
