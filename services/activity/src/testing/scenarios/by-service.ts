import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Caller } from '@caravan/auth/claims';
import { personKey } from '@caravan/contracts/events/fact-key';
import { correctLogRequestSchema, logRequestSchema, ownLogsSchema } from '@caravan/contracts/http/movement';
import { Rejected } from '@caravan/kernel/rejected';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Listener } from '@caravan/messaging/testing/listener';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { idempotentRequest } from '@caravan/service-kit/http/idempotency.decorator';
import { parse } from '@caravan/service-kit/http/valid.decorator';
import { expect } from 'vitest';
import { MovementController } from '../../logging/movement.controller.ts';
import { LogChangesController } from '../../logging/own-logs.controller.ts';
import type { ActivityUnderTest, Joining } from '../activity-under-test.ts';
import type { Told } from './by-rules.ts';
import { inWords, pickedFrom } from './scenario.ts';
import type { BonusChallenge, Outcome, Scenario, Step } from './scenario.ts';

type Service = { readonly activity: ActivityUnderTest; readonly scoring: PeerService; readonly facts: Listener };
type Logging = Extract<Step, { logs: string }>;
type Correcting = Extract<Step, { corrects: string }>;

/** Members of a scenario on the running service: whatever is asked or said comes twice. */
export class ByService {
  private readonly members = new Map<string, Joining>();
  private readonly logIds = new Map<string, string>();
  private readonly challengeIds = new Map<string, string>();

  constructor(
    private readonly service: Service,
    private readonly scenario: Scenario,
  ) {}

  async begin(): Promise<void> {
    const { activity } = this.service;
    const { zone: timeZone, bonusChallenges } = this.scenario.given;
    const maya = await activity.join({ timeZone });
    this.members.set('Maya', maya).set('Omar', await activity.join({ timeZone, orgId: maya.orgId }));
    for (const [name, challenge] of Object.entries(bonusChallenges)) await this.open(name, challenge, maya.orgId);
  }

  async take(step: Step): Promise<Told> {
    if ('closes' in step) return this.close(step.closes, step.at);
    if ('travelsTo' in step) return this.travel(step.who, step.travelsTo);
    try {
      if ('removes' in step) {
        const changes = this.service.activity.app.get(LogChangesController);
        await changes.remove(this.callerAt(step), { id: this.logIdOf(step.removes) });
        return undefined;
      }
      const first = await this.twice(step);
      return { answer: pickedFrom(first, step.answer ?? {}) };
    } catch (error) {
      if (error instanceof Rejected) return { refuses: error.message };
      throw error;
    }
  }

  async outcome(): Promise<Outcome> {
    const { activity, facts } = this.service;
    const { orgId, userId } = this.memberOf('Maya');
    const api = await activity.as(this.memberOf('Maya'));
    const logs = ownLogsSchema.parse((await api.get('/api/logs?limit=50')).body);
    const sums = 'select centimiles from member_miles where org_id = $1 and user_id = $2';
    const [sum] = await activity.rows<{ centimiles: number }>(orgId, sums, userId);
    const heard = facts.heard.filter((fact) => fact.orgId === orgId && fact.key === userId);
    return {
      total: (sum?.centimiles ?? 0) / 100,
      logs: logs.map(inWords).toSorted(),
      tells: heard.map(({ type }) => type as Outcome['tells'][number]),
    };
  }

  /** The same request again, under the same key, is answered alike and changes nothing. */
  private async twice(step: Logging | Correcting): Promise<object> {
    const caller = this.callerAt(step);
    const key = randomUUID();
    const request = idempotentRequest(key, { owner: caller.userId, method: 'ANY', path: key, body: step.asks });
    const ask = () => ('logs' in step ? this.log(step, caller, request) : this.correct(step, caller, request));
    const first = await ask();
    expect(await ask()).toEqual(first);
    return first;
  }

  private async log({ logs, asks, names }: Logging, caller: Caller, request: ReturnType<typeof idempotentRequest>) {
    const bonusChallengeId = names === undefined ? undefined : this.challengeIdOf(names);
    const body = parse(logRequestSchema, { ...asks, ...(bonusChallengeId !== undefined && { bonusChallengeId }) });
    const answer = await this.service.activity.app.get(MovementController).log(caller, body, request);
    this.logIds.set(logs, answer.id);
    return answer;
  }

  private async correct({ corrects, asks }: Correcting, caller: Caller, request: ReturnType<typeof idempotentRequest>) {
    const body = parse(correctLogRequestSchema, asks);
    const changes = this.service.activity.app.get(LogChangesController);
    return changes.correct(caller, { id: this.logIdOf(corrects) }, body, request);
  }

  private async open(name: string, challenge: BonusChallenge, own: string): Promise<void> {
    const orgId = challenge.isOfAnotherOrganisation ? randomUUID() : own;
    const challengeId = this.challengeIdOf(name);
    const data = {
      challengeId,
      title: name,
      description: name,
      strategy: 'consistency',
      activityType: challenge.activity,
      targetDurationMinutes: challenge.minutes,
      multiplier: challenge.times,
      openedAt: challenge.opensAt.toISOString(),
      expiresAt: challenge.expiresAt.toISOString(),
    };
    await this.publish(orgId, { type: 'BonusChallengeOpened', data });
    await this.countKnown(orgId, 'select from bonus_windows where org_id = $1 and challenge_id = $2', challengeId);
  }

  private async close(name: string, at: Date): Promise<undefined> {
    const { orgId } = this.memberOf('Maya');
    const data = { challengeId: this.challengeIdOf(name), completedCount: 0, closedAt: at.toISOString() };
    await this.publish(orgId, { type: 'BonusChallengeClosed', data });
    const closed = 'select from bonus_windows where org_id = $1 and challenge_id = $2 and closed_at is not null';
    await this.countKnown(orgId, closed, data.challengeId);
  }

  private async travel(who: string, timeZone: string): Promise<undefined> {
    const { orgId, userId } = this.memberOf(who);
    const data = { userId, timeZone, name: who, profilePhotoUrl: null };
    await this.service.activity.tell(orgId, { type: 'ProfileEdited', data });
    await this.countKnown(
      orgId,
      'select from members where org_id = $1 and user_id = $2 and time_zone = $3',
      userId,
      timeZone,
    );
  }

  private async publish(orgId: string, fact: { type: string; data: object }): Promise<void> {
    const full = { version: 1, orgId, key: orgId, ...fact };
    await this.service.scoring.redeliver(...(await this.service.scoring.publish(full, full)));
  }

  private countKnown = (orgId: string, sql: string, ...values: unknown[]) =>
    eventually(async () => expect(await this.service.activity.rows(orgId, sql, ...values)).toHaveLength(1));

  /** A request as the guard hands it over, at an instant of the scenario. */
  private callerAt({ who, at }: { who: string; at: Date }): Caller {
    const { userId, orgId } = this.memberOf(who);
    const meta = { orgId, actorId: userId, at, key: personKey(userId) };
    return { userId, orgId, at, meta, sessionId: randomUUID(), role: 'member' };
  }

  private memberOf(name: string): Joining {
    const member = this.members.get(name);
    if (!member) throw new Error(`${this.scenario.file}: nobody is called ${name}`);
    return member;
  }

  private challengeIdOf(name: string): string {
    const id = this.challengeIds.get(name) ?? randomUUID();
    this.challengeIds.set(name, id);
    return id;
  }

  private logIdOf(name: string): string {
    const id = this.logIds.get(name);
    if (id === undefined) throw new Error(`${this.scenario.file}: nobody has logged ${name} yet`);
    return id;
  }
}
