import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import type { MailServer } from '@caravan/service-kit/testing/mail-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { confirm, mailTo } from '../../testing/mail.ts';
import {
  claimsOf,
  counts,
  foundOrganisation,
  idOf,
  invite,
  joinOrganisation,
  recordedTypes,
} from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { AppModule } from '../app.module.ts';
import { handleAdminCommand } from '../operator/operator.service.ts';
import { SweepExports } from './exports.job.ts';

const defaultId = randomUUID();
let server: MailServer;
let identity: IdentityUnderTest;
beforeAll(async () => {
  server = await startMailServer();
  identity = await startIdentity({ SMTP_URL: server.url, DEFAULT_ORGANISATION_ID: defaultId });
});
afterAll(async () => {
  await identity.close();
  await server.close();
});

const erase = (visitor: Visitor) => visitor.call('DELETE', '/api/me', { password });
const handle = (...args: string[]) =>
  handleAdminCommand(args, { env: identity.env, module: AppModule.forRoot(identity.env) });
/** As a version before this one left it: people, or an open invite, and nobody who looks after them. */
const dismissAll = (orgId: string) =>
  identity.rows("update memberships set role = 'member' where org_id = $1", [orgId]);

describe('the last person who leaves', () => {
  test('[D43 S38] closes the organisation: its invites, teams and words go; ids and its end stay', async () => {
    const canary = `Canary-${randomUUID()}`;
    const { admin, orgId } = await foundOrganisation(identity, { organizationName: canary, name: canary });
    await admin.post('/api/company/setup', {
      companyName: canary,
      employeeRange: '1-25',
      brandTraits: ['bold'],
      industry: canary,
      brandColors: ['#112233', '#445566'],
      welcomeMessage: canary,
    });
    await admin.post('/api/teams', { name: canary.slice(0, 40), emoji: '🦉' }, { 'idempotency-key': canary });
    await admin.call('PUT', '/api/company/streaks', { hasFreezes: false });
    const { body } = await admin.post('/api/invites', { domains: [`${canary.toLowerCase()}.example`] });
    expect((await erase(admin)).status).toBe(200);
    const tables = await identity.rows<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_schema in ('public', 'es', 'audit') and table_type = 'BASE TABLE' and table_name not in ('outbox', 'mails')`,
    );
    for (const { name } of tables)
      expect(
        await identity.rows(`select from ${name} t where t::text ilike $1`, [`%${canary.slice(0, 40)}%`]),
        name,
      ).toEqual([]);
    for (const table of ['teams', 'team_rosters', 'memberships', 'sessions', 'streak_rules', 'es.requests'])
      expect(await identity.rows(`select from ${table} where org_id = $1`, [orgId]), table).toEqual([]);
    expect((await recordedTypes(identity, orgId)).slice(-5)).toEqual([
      'MemberErased',
      'OrganisationClosed',
      'TeamDissolved',
      'TeamDissolved',
      'TeamDissolved',
    ]);
    const before = await counts(identity);
    const late = await identity.visitor().signUp({ invite: body['code'], email: `new@${canary}.example` });
    const message = 'The organisation of this invite has been closed';
    expect(late).toMatchObject({
      status: 422,
      body: { code: 'invite/organisation-closed', errors: [{ path: 'invite', message }] },
    });
    const link = await identity.visitor().get(`/api/invitations?code=${String(body['code'])}`);
    expect(link).toMatchObject({ status: 422, body: { message } });
    expect(await counts(identity)).toEqual(before);
    await identity.rows(`update invites set expires_at = now() - interval '1 minute' where org_id = $1`, [orgId]);
    await identity.app.get(SweepExports).sweep();
    expect(await identity.rows('select from invites where org_id = $1', [orgId])).toEqual([]);
  });

  test('[D43 S06] takes the deactivated along, whom nobody could ever let in again', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const email = newEmail();
    const omar = await joinOrganisation(identity, orgId, { email });
    await confirm(server, omar, email);
    await admin.call('PATCH', `/api/members/${idOf(omar)}`, { isActive: false });
    expect((await erase(admin)).status).toBe(200);
    await mailTo(server, email, 'Your account is erased');
    for (const table of ['persons', 'credentials', 'memberships'])
      expect(await identity.rows(`select from ${table} where org_id = $1`, [orgId])).toEqual([]);
    expect((await identity.visitor().signUp({ email, organizationName: 'Anew' })).status).toBe(200);
  });

  test('[D3 D43] is not the admin of others who can sign in: another one is appointed first', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const omar = await joinOrganisation(identity, orgId);
    expect(await erase(admin)).toMatchObject({ status: 422, body: { message: 'Appoint another admin first.' } });
    expect((await erase(omar)).status).toBe(200);
    expect((await erase(admin)).status).toBe(200);
    expect(await recordedTypes(identity, orgId)).toContain('OrganisationClosed');
  });

  test('[D43] and somebody who joins at the same moment: either joins and it stays, or is refused and it is closed', async () => {
    await identity.warm();
    const ends = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const { admin, orgId } = await foundOrganisation(identity);
      const code = await invite(identity, orgId);
      const [left, came] = await Promise.all([erase(admin), identity.visitor().signUp({ invite: code })]);
      const isClosed = (await recordedTypes(identity, orgId)).includes('OrganisationClosed');
      ends.add(`${left.status} ${came.status} ${isClosed}`);
      if (isClosed) expect(await identity.rows('select from persons where org_id = $1', [orgId])).toEqual([]);
    }
    expect(['200 422 true', '422 200 false']).toEqual(expect.arrayContaining([...ends]));
  });

  test('[D43 D3] two admins at the same moment: the second one is the last and closes it, or is refused by nobody', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const email = newEmail();
    const omar = await joinOrganisation(identity, orgId, { email });
    await admin.call('PATCH', `/api/members/${idOf(omar)}`, { role: 'admin' });
    await omar.login(email);
    const answers = await Promise.all([erase(admin), erase(omar)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await recordedTypes(identity, orgId)).filter((type) => type === 'OrganisationClosed')).toHaveLength(1);
  });
});

describe('the default organisation of an instance', () => {
  test('[D1 D43] stays open when it empties: its invites are void, newcomers join as members, the operator appoints', async () => {
    await handle('--found-default', 'Caravan Demo');
    const email = newEmail();
    const first = await identity.signedIn({ email });
    expect(claimsOf(first).org).toBe(defaultId);
    await handle('--appoint-admin', email);
    await first.login(email);
    const { body } = await first.post('/api/invites', {});
    expect((await erase(first)).status).toBe(200);
    expect(await recordedTypes(identity, defaultId)).not.toContain('OrganisationClosed');
    expect((await identity.visitor().signUp({ invite: body['code'] })).body).toMatchObject({ code: 'invite/revoked' });
    const next = await identity.signedIn();
    expect((await next.get('/api/me')).body).toMatchObject({ role: 'member' });
    await expect(handle('--close-organisation', defaultId)).rejects.toThrow('the default organisation');
  });
});

describe('an organisation without an admin', () => {
  test('[D3 S38] gets one from the operator, who lets somebody deactivated in by it', async () => {
    const email = newEmail();
    const { admin, orgId } = await foundOrganisation(identity);
    const omar = await joinOrganisation(identity, orgId, { email });
    await admin.call('PATCH', `/api/members/${idOf(omar)}`, { isActive: false });
    for (let again = 0; again < 2; again += 1) await handle('--appoint-admin', email);
    expect((await recordedTypes(identity, orgId)).slice(-2)).toEqual(['AdminAppointed', 'MemberReactivated']);
    expect((await omar.login(email)).body['user']).toMatchObject({ role: 'admin' });
  });

  test('[D43 S38] is closed by the operator with whoever is in it, once; one that has an admin is not', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    await joinOrganisation(identity, orgId);
    await expect(handle('--close-organisation', orgId)).rejects.toThrow('It has an admin');
    expect((await admin.get('/api/me')).status).toBe(200);
    await dismissAll(orgId);
    for (let again = 0; again < 2; again += 1) expect(await handle('--close-organisation', orgId)).toBe(true);
    expect((await admin.get('/api/me')).status).toBe(401);
    expect(await identity.rows('select from persons where org_id = $1', [orgId])).toEqual([]);
    const closings = await identity.rows(
      "select actor_id from audit.entries where org_id = $1 and act = 'operator.organisation-closed'",
      [orgId],
    );
    expect(closings).toEqual([{ actorId: null }]);
    await expect(handle('--close-organisation', randomUUID())).rejects.toThrow('There is no such organisation');
    await expect(handle('--close-organisation', 'all')).rejects.toThrow();
  });
});
