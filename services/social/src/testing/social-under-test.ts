import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { startIdentityDouble } from '@caravan/auth/testing/identity-double';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { tenantQuery } from '@caravan/event-store/postgres';
import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { startNeighbour } from '@caravan/messaging/testing/neighbour';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { startTestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../app.module.ts';

const migrations = resolve(import.meta.dirname, '../../prisma/migrations');

export type TestMember = TestPerson & { readonly teamId: string; readonly name: string };
export type IdentityFact = { readonly type: string; readonly data: object };
export type SocialUnderTest = Awaited<ReturnType<typeof startSocial>>;

/** The service on real servers, with identity and activity played by the test. */
export async function startSocial() {
  const double = await startIdentityDouble();
  const service = await startTestService({
    service: 'social',
    module: (settings) => AppModule.forRoot(settings),
    migrations,
    strategy: KafkaBatchServer,
    env: double.env,
  });
  const identity = await startNeighbour('identity', service.env);
  const activity = await startNeighbour('activity', service.env);
  return {
    ...service,
    identity,
    activity,
    /** Rows of one organisation; $1 is the organisation. */
    rows: async <Row extends object>(orgId: string, sql: string) =>
      (await tenantQuery<Row>(service.pool, orgId, sql, [orgId])).rows,
    /** Identity says facts of an organisation, all of it twice and then backwards; answers the header that waits for them. */
    tell: async (orgId: string, ...facts: readonly IdentityFact[]) => {
      const fullFacts = facts.map((fact) => ({ version: 1, orgId, key: orgId, ...fact }));
      const said = await identity.say(...fullFacts.flatMap((fact) => [fact, fact]));
      await identity.repeat(...said.toReversed());
      return { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` };
    },
    as: async (person: TestPerson) => apiClient(service.url, await double.tokenFor(person)),
    nobody: apiClient(service.url),
    close: async () => {
      await Promise.all([identity.close(), activity.close()]);
      await service.close();
      await double.close();
    },
  };
}

export const memberOf = (orgId: string, teamId: string, name: string): TestMember => {
  return { userId: randomUUID(), orgId, teamId, name };
};

export function memberJoined({ userId, orgId, teamId, name }: TestMember) {
  return {
    ...{ type: 'MemberJoined', version: 1, orgId, key: orgId },
    data: {
      ...{ userId, teamId, name, timeZone: 'UTC', role: 'member' },
      ...{ joinedOn: '2026-11-16', joinedAt: '2026-11-16T08:01:00.000Z' },
    },
  };
}

export function movementLogged(
  { userId, orgId, teamId }: TestMember,
  log: { caption?: string; activityType?: string; loggedAt?: Date } = {},
) {
  const loggedAt = (log.loggedAt ?? new Date()).toISOString();
  return {
    ...{ type: 'MovementLogged', version: 1, orgId, key: userId },
    data: movementFact({
      ...{ logId: randomUUID(), userId, teamId, startedAt: loggedAt, loggedAt, loggedOn: loggedAt.slice(0, 10) },
      ...{ timeZone: 'UTC', source: 'timer', ...(log.activityType && { activityType: log.activityType }) },
      caption: log.caption ?? null,
    }),
  };
}

/** What a member lets colleagues see: everything, unless said otherwise. */
export function privacyChosen({ userId }: TestMember, choice: object): IdentityFact {
  const all = { profileVisible: true, activityVisible: true, statsVisible: true };
  return { type: 'PrivacyChosen', data: { userId, ...all, shareHeartRate: false, shareCalories: false, ...choice } };
}

export function memberErased({ userId, teamId }: TestMember): IdentityFact {
  return { type: 'MemberErased', data: { userId, teamId, wasActive: true, erasedAt: '2026-11-21T08:00:00.000Z' } };
}
