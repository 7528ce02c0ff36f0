import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startIdentityDouble } from '@caravan/auth/testing/identity-double';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { tenantQuery, withSystem } from '@caravan/event-store/postgres/connections';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { asPeer } from '@caravan/service-kit/testing/peer';
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
  const identity = await startPeerService('identity', service.env);
  const activity = await startPeerService('activity', service.env);
  const scoring = await startPeerService('scoring', service.env);
  const integrations = await startPeerService('integrations', service.env);
  return {
    ...service,
    identity,
    activity,
    scoring,
    integrations,
    /** Rows of one organisation; $1 is the organisation. */
    rows: async <Row extends object>(orgId: string, sql: string) =>
      (await tenantQuery<Row>(service.pool, orgId, sql, [orgId])).rows,
    /** Identity says facts of an organisation, all of it twice and then backwards; answers the header that waits for them. */
    tell: async (orgId: string, ...facts: readonly IdentityFact[]) => {
      const fullFacts = facts.map((fact) => ({ version: 1, orgId, key: orgId, ...fact }));
      const said = await identity.publish(...fullFacts.flatMap((fact) => [fact, fact]));
      await identity.redeliver(...said.toReversed());
      return { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` };
    },
    /** Changes rows as no request could. */
    asSystem: (sql: string, values: readonly unknown[]) => withSystem(service.pool, (tx) => tx.query(sql, values)),
    as: async (person: TestPerson, claims: object = {}) =>
      apiClient(service.url, await double.tokenFor(person, claims)),
    tokenFor: (person: TestPerson) => double.tokenFor(person),
    /** Sends bodies from one person through the whole service but its socket, for thousands of them; answers the status. */
    sender: async (person: TestPerson, path: string) => {
      const headers = { ...asPeer, authorization: `Bearer ${await double.tokenFor(person)}` };
      const url = path;
      return async (payload: object) =>
        (await service.app.inject({ method: 'POST', url, headers, payload })).statusCode;
    },
    nobody: apiClient(service.url),
    close: async () => {
      await Promise.all([identity, activity, scoring, integrations].map((peer) => peer.close()));
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
    type: 'MemberJoined',
    version: 1,
    orgId,
    key: orgId,
    data: {
      userId,
      teamId,
      name,
      timeZone: 'UTC',
      role: 'member',
      joinedOn: '2026-11-16',
      joinedAt: '2026-11-16T08:01:00.000Z',
    },
  };
}

export function movementLogged(
  { userId, orgId, teamId }: TestMember,
  log: { caption?: string; activityType?: string; loggedAt?: Date; location?: string; bonusChallengeId?: string } = {},
) {
  const loggedAt = (log.loggedAt ?? new Date()).toISOString();
  return {
    type: 'MovementLogged',
    version: 1,
    orgId,
    key: userId,
    data: movementFact({
      logId: randomUUID(),
      userId,
      teamId,
      startedAt: loggedAt,
      loggedAt,
      loggedOn: loggedAt.slice(0, 10),
      timeZone: 'UTC',
      source: 'timer',
      ...(log.activityType && { activityType: log.activityType }),
      caption: log.caption ?? null,
      location: log.location ?? null,
      ...(log.bonusChallengeId && { bonusChallengeId: log.bonusChallengeId }),
    }),
  };
}

/** What a member lets colleagues see: everything, unless said otherwise. */
export function privacyChosen({ userId }: TestMember, choice: object): IdentityFact {
  const shown = { profileVisible: true, activityVisible: true, statsVisible: true };
  const hidden = { shareHeartRate: false, shareCalories: false, featuredInRecaps: false };
  return { type: 'PrivacyChosen', data: { userId, ...shown, ...hidden, ...choice } };
}

export function profileEdited({ userId }: TestMember, name: string): IdentityFact {
  return { type: 'ProfileEdited', data: { userId, name, timeZone: 'UTC', profilePhotoUrl: null } };
}

export function memberErased({ userId, teamId }: TestMember): IdentityFact {
  return { type: 'MemberErased', data: { userId, teamId, wasActive: true, erasedAt: '2026-11-21T08:00:00.000Z' } };
}

export function checkpointReached(
  orgId: string,
  teamId: string,
  checkpoint: { name: string; mileMark: number; reachedAt: string },
) {
  const { name, mileMark, reachedAt } = checkpoint;
  return {
    type: 'CheckpointReached',
    version: 1,
    orgId,
    key: orgId,
    data: {
      journeyId: randomUUID(),
      routeId: 'hadrians-wall',
      routeName: 'Hadrian’s Wall Path',
      teamId,
      checkpointName: name,
      mileMark,
      isLast: false,
      reachedAt,
      contributors: [],
    },
  };
}

export function teamFormed(orgId: string, teamId: string, team: { name: string; emoji: string }) {
  return {
    type: 'TeamFormed',
    version: 1,
    orgId,
    key: orgId,
    data: { teamId, ...team, formedAt: '2026-11-16T08:00:00.000Z' },
  };
}
