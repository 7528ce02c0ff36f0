import { randomUUID } from '@caravan/contracts/testing/seeded';
import { decodeJwt } from 'jose';
import type { IdentityUnderTest } from './identity.ts';
import type { Visitor } from './visitor.ts';

export const claimsOf = ({ token }: Visitor) => decodeJwt<{ sub: string; org: string; sid: string }>(token ?? '');

/** How many rows of each kind there are: equal before and after what must leave no trace. */
export async function counts(identity: IdentityUnderTest): Promise<object | undefined> {
  const tables = ['organisations', 'teams', 'persons', 'credentials', 'sessions', 'memberships', 'es.events'];
  const columns = tables.map((table) => `(select count(*) from ${table}) as "${table}"`);
  return (await identity.rows(`select ${columns.join(', ')}`))[0];
}

/** A founded organisation, its admin, and what signing up answered. */
export async function foundOrganisation(identity: IdentityUnderTest, fields: object = {}) {
  const admin = identity.visitor();
  const answer = await admin.signUp({ organizationName: 'Acme', ...fields });
  const { assignedTeam } = answer.body as unknown as { assignedTeam: { id: string; name: string; emoji: string } };
  return { admin, answer, assignedTeam, orgId: claimsOf(admin).org };
}

/** Somebody who joined an organisation by an invite, as member. */
export async function joinOrganisation(identity: IdentityUnderTest, orgId: string, fields: object = {}) {
  const visitor = identity.visitor();
  const { status, body } = await visitor.signUp({ invite: await invite(identity, orgId), ...fields });
  if (status !== 200) throw new Error(`Joining answered ${status} ${JSON.stringify(body)}`);
  return visitor;
}

/** An organisation with an admin in Thunder, Maya in Blazers and Omar in Thunder. */
export async function organisation(identity: IdentityUnderTest) {
  const { admin, orgId } = await foundOrganisation(identity, { name: 'Zoë Admin' });
  const maya = await joinOrganisation(identity, orgId, { name: 'Maya Okafor' });
  const omar = await joinOrganisation(identity, orgId, { name: 'Ömar 100%' });
  const teams = await identity.rows<{ teamId: string }>(
    'select team_id from teams where org_id = $1 order by team_id',
    [orgId],
  );
  const [thunder, blazers] = teams.map((team) => team.teamId) as [string, string];
  return { admin, orgId, maya, omar, thunder, blazers };
}

export const idOf = (visitor: Visitor) => claimsOf(visitor).sub;

/** Fields that nobody changes by naming them in a body (S19). */
export const protectedFields = {
  id: randomUUID(),
  userId: randomUUID(),
  orgId: randomUUID(),
  org_id: randomUUID(),
  createdBy: randomUUID(),
  totalMiles: 999,
  totalCentimiles: 99_900,
  streakCount: 99,
  uses: 0,
  memberCount: 99,
  version: 1,
  joinedAt: '2020-01-01T00:00:00Z',
  createdAt: '2020-01-01T00:00:00Z',
  setUpAt: '2020-01-01T00:00:00Z',
  passwordHash: 'x',
  emailKey: 'x',
  code: 'MINE',
  state: 'open',
  isSelf: true,
};

/** Members of every team as they are and as they are counted. */
export function rosters(identity: IdentityUnderTest, orgId: string) {
  return identity.rows<{ active: number; counted: number }>(
    `select (select count(*) from memberships m where (m.org_id, m.team_id) = (r.org_id, r.team_id) and m.is_active) as active,
        r.active_members as counted from team_rosters r where org_id = $1 order by active`,
    [orgId],
  );
}

/** The types of an organisation's recorded events, oldest first. */
export async function recordedTypes(identity: IdentityUnderTest, orgId: string): Promise<string[]> {
  const events = await identity.rows<{ type: string }>('select type from es.events where org_id = $1 order by pos', [
    orgId,
  ]);
  return events.map(({ type }) => type);
}

/** What was told about rows of an organisation, of these types, oldest first. */
export async function toldOf(identity: IdentityUnderTest, orgId: string, ...types: string[]): Promise<object[]> {
  return identity.rows<{ type: string; key: string; data: object }>(
    'select type, partition_key as key, data from es.published where org_id = $1 and type = any($2) order by pos',
    [orgId, types],
  );
}

/** An open invite's code; `changes` are columns. */
export async function invite(identity: IdentityUnderTest, orgId: string, changes: object = {}): Promise<string> {
  const given = {
    code: randomUUID().slice(0, 12),
    expires_at: new Date(Date.now() + 60_000),
    max_uses: null,
    uses: 0,
    domains: [],
    team_id: null,
    revoked_at: null,
    ...changes,
  };
  await identity.rows(
    `insert into invites (org_id, invite_id, created_by, created_at, code, expires_at, max_uses, uses, domains, team_id, revoked_at)
      values ($1, gen_random_uuid(), gen_random_uuid(), now(), $2, $3, $4, $5, $6, $7, $8)`,
    [orgId, given.code, given.expires_at, given.max_uses, given.uses, given.domains, given.team_id, given.revoked_at],
  );
  return given.code;
}

/** As if everything of a session had happened that much earlier. */
export async function age(identity: IdentityUnderTest, sessionId: string, interval: string): Promise<void> {
  await identity.rows(
    `update sessions set created_at = created_at - $2::interval, last_seen_at = last_seen_at - $2::interval,
      idle_at = idle_at - $2::interval, expires_at = expires_at - $2::interval where session_id = $1`,
    [sessionId, interval],
  );
  await identity.rows('update refresh_tokens set used_at = used_at - $2::interval where session_id = $1', [
    sessionId,
    interval,
  ]);
}
