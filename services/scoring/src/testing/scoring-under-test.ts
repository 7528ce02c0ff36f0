import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startIdentityDouble } from '@caravan/auth/testing/identity-double';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import type { Envelope } from '@caravan/contracts/events/envelope';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { tenantQuery, withSystem } from '@caravan/event-store/postgres/connections';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { startTestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../app.module.ts';

const migrations = resolve(import.meta.dirname, '../../prisma/migrations');

export type TestTeam = { readonly teamId: string; readonly name: string };
export type TestMember = TestPerson & { readonly teamId: string; readonly name: string };
export type TestLog = {
  readonly activityType: string;
  readonly logId: string;
  readonly centimiles: number;
  readonly startedAt: Date;
  readonly loggedAt: Date;
};

export type IdentityFact = { readonly type: string; readonly data: object };

export type ScoringUnderTest = Awaited<ReturnType<typeof startScoring>>;

/** The service on real servers, with identity and activity played by the test. */
export async function startScoring(env: Readonly<Record<string, string>> = {}) {
  const double = await startIdentityDouble();
  const service = await startTestService({
    service: 'scoring',
    module: (settings) => AppModule.forRoot(settings),
    migrations,
    strategy: KafkaBatchServer,
    env: { ...double.env, ...env },
  });
  const identity = await startPeerService('identity', service.env);
  const activity = await startPeerService('activity', service.env);

  return {
    ...service,
    identity,
    activity,
    /** Rows of one organisation; $1 is the organisation. */
    rows: async <Row extends object>(orgId: string, sql: string, ...values: unknown[]) =>
      (await tenantQuery<Row>(service.pool, orgId, sql, [orgId, ...values])).rows,
    /** Changes rows as no request could. */
    asSystem: (sql: string, values: readonly unknown[]) => withSystem(service.pool, (tx) => tx.query(sql, values)),
    as: async (person: TestPerson, claims: object = {}) =>
      apiClient(service.url, await double.tokenFor(person, claims)),
    nobody: apiClient(service.url),
    /** A new organisation with two teams and named members, known here once the last of them is. */
    foundOrganisation: (names: readonly string[], timeZone = 'Europe/Berlin', teamOf?: TeamOf) =>
      foundOrganisation(identity, names, { timeZone, teamOf }),
    /** Identity says facts of an organisation, all of it twice and then backwards; answers the header that waits for them. */
    tell: async (orgId: string, ...facts: readonly IdentityFact[]) => {
      const fullFacts = facts.map((fact) => ({ version: 1, orgId, key: orgId, ...fact }));
      const said = await identity.publish(...fullFacts.flatMap((fact) => [fact, fact]));
      await identity.redeliver(...said.toReversed());
      return minPosition('identity', said);
    },
    /** Somebody logged. Answers with what to wait for: the position of the last log. */
    log: (member: TestMember, ...logs: readonly Partial<TestLog>[]) =>
      activity.publish(...logs.map((log) => movementLogged(member, log))),
    close: async () => {
      await Promise.all([identity.close(), activity.close()]);
      await service.close();
      await double.close();
    },
  };
}

type PeerService = Awaited<ReturnType<typeof startPeerService>>;

/** The name of the team in which somebody begins; by turns where it says none. */
type TeamOf = (name: string) => string | undefined;

async function foundOrganisation(
  identity: PeerService,
  names: readonly string[],
  { timeZone, teamOf }: { timeZone: string; teamOf: TeamOf | undefined },
) {
  const orgId = randomUUID();
  const about = { version: 1, orgId, key: orgId };
  const teams: TestTeam[] = ['Thunder', 'Blazers'].map((name) => ({ name, teamId: randomUUID() }));
  const members = names.map((name, index) => {
    const chosen = teams.find((team) => team.name === teamOf?.(name)) ?? teams[index % teams.length];
    const teamId = chosen?.teamId ?? '';
    return { userId: randomUUID(), orgId, teamId, name };
  });
  const foundedAt = '2026-01-01T08:00:00.000Z';
  const said = await identity.publish(
    { ...about, type: 'OrganisationFounded', data: { name: 'Test', timeZone, foundedAt } },
    ...teams.map(({ teamId, name }) => {
      return {
        ...about,
        type: 'TeamFormed',
        data: { teamId, name, emoji: name === 'Thunder' ? '⚡' : '🔥', formedAt: foundedAt },
      };
    }),
    ...members.map(({ userId, teamId, name }) => {
      const data = { userId, teamId, name, timeZone, role: 'member', joinedOn: '2026-01-01', joinedAt: foundedAt };
      return { ...about, type: 'MemberJoined', data };
    }),
  );
  return { orgId, teams, members, said };
}

/** The fact that a member moved; 30 minutes that ended now unless said otherwise. */
export function movementLogged({ userId, orgId, teamId }: TestMember, log: Partial<TestLog> = {}) {
  const loggedAt = log.loggedAt ?? new Date();
  const { logId = randomUUID(), centimiles = 300, startedAt = loggedAt, activityType = 'Walking' } = log;
  return {
    type: 'MovementLogged',
    version: 1,
    orgId,
    key: userId,
    data: movementFact({
      logId,
      userId,
      teamId,
      centimiles,
      activityType,
      durationMinutes: Math.min(Math.max(Math.round(centimiles / 10), 1), 1440),
      startedAt: startedAt.toISOString(),
      loggedAt: loggedAt.toISOString(),
      loggedOn: localDateOf(startedAt, 'Europe/Berlin'),
    }),
  };
}

type LoggedFact = ReturnType<typeof movementLogged>;

/** The fact that the log of an earlier one was corrected. */
export function movementCorrected(
  { data: before, ...about }: LoggedFact,
  changes: { readonly durationMinutes?: number; readonly startedAt?: Date },
  revision = 2,
) {
  const { durationMinutes = before.durationMinutes, startedAt = new Date(before.startedAt) } = changes;
  const { centimiles, loggedOn } = before;
  return {
    ...about,
    type: 'MovementCorrected',
    data: {
      ...before,
      durationMinutes,
      centimiles: durationMinutes * 10,
      startedAt: startedAt.toISOString(),
      loggedOn: localDateOf(startedAt, before.timeZone),
      revision,
      correctedAt: new Date().toISOString(),
      previous: { durationMinutes: before.durationMinutes, centimiles, loggedOn },
    },
  };
}

/** The fact that the log of an earlier one was taken back. */
export function movementRemoved({ data, ...about }: LoggedFact) {
  const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = data;
  const figures = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
  return { ...about, type: 'MovementRemoved', data: { ...figures, removedAt: new Date().toISOString() } };
}

/** The header with which a member waits for what was said. */
export function minPosition(
  service: 'activity' | 'identity' | 'social',
  said: readonly Envelope[],
): Record<string, string> {
  return { 'x-min-position': `${service}:${said.at(-1)?.position ?? 0}` };
}

/** What a member lets colleagues see: everything, unless said otherwise. */
export function privacyChosen({ userId }: TestMember, choice: object): IdentityFact {
  const shown = { profileVisible: true, activityVisible: true, statsVisible: true };
  const hidden = { shareHeartRate: false, shareCalories: false, featuredInRecaps: false };
  return { type: 'PrivacyChosen', data: { userId, ...shown, ...hidden, ...choice } };
}

export function memberErased({ userId, teamId }: TestMember): IdentityFact {
  return { type: 'MemberErased', data: { userId, teamId, wasActive: true, erasedAt: '2026-11-21T08:00:00.000Z' } };
}
