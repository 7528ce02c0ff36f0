import { eventually } from '@caravan/event-store/testing/eventually';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startIdentityDouble } from '@caravan/auth/testing/identity-double';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { startTestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../app.module.ts';
import { activityEnvSchema } from '../env.ts';

const migrations = resolve(import.meta.dirname, '../../prisma/migrations');

export type Joining = TestPerson & { readonly teamId: string; readonly timeZone: string };

export type ActivityUnderTest = Awaited<ReturnType<typeof startActivity>>;

/** The service on real servers, with identity played by the test. */
export async function startActivity(env: Readonly<Record<string, string>> = {}) {
  const double = await startIdentityDouble();
  const service = await startTestService({
    service: 'activity',
    schema: activityEnvSchema,
    module: (settings) => AppModule.forRoot(settings),
    migrations,
    strategy: KafkaBatchServer,
    env: { ...double.env, ...env },
  });
  const identity = await startPeerService('identity', service.env);
  const rows = async <Row extends object>(orgId: string, sql: string, ...values: unknown[]) =>
    (await tenantQuery<Row>(service.pool, orgId, sql, [orgId, ...values])).rows;

  return {
    ...service,
    identity,
    /** Rows of one organisation; $1 is the organisation. */
    rows,
    /** Identity says facts of an organisation, all of it twice and then backwards; answers the header that waits for them. */
    tell: async (orgId: string, ...facts: readonly { readonly type: string; readonly data: object }[]) => {
      const fullFacts = facts.map((fact) => ({ version: 1, orgId, key: orgId, ...fact }));
      const said = await identity.publish(...fullFacts.flatMap((fact) => [fact, fact]));
      await identity.redeliver(...said.toReversed());
      return { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` };
    },
    tokenFor: double.tokenFor,
    endSession: double.endSession,
    as: async (person: TestPerson) => apiClient(service.url, await double.tokenFor(person)),
    nobody: apiClient(service.url),
    /** Somebody new, known here when this returns. */
    join: async (joining: Partial<Joining> = {}): Promise<Joining> => {
      const member = {
        userId: randomUUID(),
        orgId: randomUUID(),
        teamId: randomUUID(),
        timeZone: 'Europe/Berlin',
        ...joining,
      };
      await identity.publish(memberJoined(member));
      await eventually(async () => {
        const known = await rows(member.orgId, 'select from members where org_id = $1 and user_id = $2', member.userId);
        if (known.length === 0) throw new Error('not known yet');
      });
      return member;
    },
    close: async () => {
      await identity.close();
      await service.close();
      await double.close();
    },
  };
}

export function memberJoined({ userId, orgId, teamId, timeZone }: Joining) {
  return {
    type: 'MemberJoined',
    version: 1,
    orgId,
    key: orgId,
    data: {
      userId,
      teamId,
      timeZone,
      role: 'member',
      name: 'Maya Okafor',
      joinedOn: '2026-11-16',
      joinedAt: '2026-11-16T08:01:00.000Z',
    },
  };
}
