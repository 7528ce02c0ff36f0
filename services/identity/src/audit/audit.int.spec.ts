import { randomUUID } from '@caravan/contracts/testing/seeded';
import { auditEntriesSchema } from '@caravan/contracts/http/audit';
import type { AuditEntry } from '@caravan/contracts/http/audit';
import { createPatientPool, withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { claimsOf, foundOrganisation, idOf, joinOrganisation, organisation } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { Operator } from '../operator/operator.service.ts';
import { DeleteOldAuditEntries } from './delete-old-audit-entries.job.ts';

let identity: IdentityUnderTest;
let scoring: PeerService;
beforeAll(async () => {
  identity = await startIdentity({}, true);
  scoring = await startPeerService('scoring', identity.env);
});
afterAll(async () => {
  await scoring.close();
  await identity.close();
});

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' };
const entriesOf = async (admin: Visitor, query = ''): Promise<AuditEntry[]> => {
  const answer = await admin.get(`/api/audit${query}`);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.any(String)]);
  return auditEntriesSchema.parse(answer.body);
};
const actsOf = async (admin: Visitor, query = '') => (await entriesOf(admin, query)).map(({ act }) => act);
const fileOf = async (admin: Visitor, query = '') => {
  const answer = await fetch(`${identity.url}/api/audit/file${query}`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('what admins do', () => {
  test('[S38 D53] to members stands in the log: who, what, to whom, when and from where', async () => {
    const { admin, maya, blazers, thunder } = await organisation(identity);
    const change = (body: object) => admin.call('PATCH', `/api/members/${idOf(maya)}`, body, firefox);
    const since = Date.now();
    for (const body of [{ teamId: thunder }, { teamId: blazers, role: 'admin' }, { role: 'member' }])
      expect((await change(body)).status).toBe(200);
    for (const isActive of [false, true, true]) expect((await change({ isActive })).status).toBe(200);
    expect((await change({ teamId: randomUUID() })).status).toBe(404);
    const entries = await entriesOf(admin, '?kind=member');
    const subject = 'Maya Okafor';
    const actor = { name: 'Zoë Admin', profileId: idOf(admin) };
    const base = { kind: 'member', actor, subject, device: 'Firefox on Linux', from: null, to: null, count: null };
    expect(entries.map(({ id: _, at: __, ...entry }) => entry)).toEqual(
      [
        { ...base, act: 'member.reactivated' },
        { ...base, act: 'member.deactivated' },
        { ...base, act: 'member.dismissed' },
        { ...base, act: 'member.appointed' },
        { ...base, act: 'member.moved', from: 'Thunder', to: 'Blazers' },
        { ...base, act: 'member.moved', from: 'Blazers', to: 'Thunder' },
      ].toSorted((one, other) => order(entries, one) - order(entries, other)),
    );
    for (const { at } of entries) expect(Date.parse(at)).toBeGreaterThanOrEqual(since - 1_000);
  });

  test('[S38] with teams, invites, the company and streaks stands in the log once for each that changed something', async () => {
    const { admin } = await foundOrganisation(identity);
    const team = (await admin.post('/api/teams', { name: 'Owls', emoji: '🦉' })).body;
    for (const body of [{ name: 'Night Owls' }, { name: 'Night Owls' }, { retired: true }, { retired: false }])
      await admin.call('PATCH', `/api/teams/${String(team['id'])}`, body);
    const { body: invite } = await admin.post('/api/invites', {});
    await admin.call('DELETE', `/api/invites/${String(invite['id'])}`);
    await admin.call('DELETE', `/api/invites/${String(invite['id'])}`);
    const company = {
      companyName: 'Acme',
      employeeRange: '1-25',
      brandTraits: ['bold'],
      industry: 'Mills',
      brandColors: ['#112233', '#445566'],
    };
    await admin.post('/api/company/setup', company);
    await admin.post('/api/company/setup', { ...company, welcomeMessage: 'Hello' });
    for (const timeZone of ['Asia/Tokyo', 'Asia/Tokyo'])
      await admin.post('/api/company/setup', { ...company, timeZone });
    for (const hasFreezes of [false, false, true]) await admin.call('PUT', '/api/company/streaks', { hasFreezes });
    const entries = await entriesOf(admin);
    expect(entries.map(({ act }) => act).toReversed()).toEqual([
      'team.formed',
      'team.renamed',
      'team.retired',
      'team.reopened',
      'invite.created',
      'invite.revoked',
      'company.set-up',
      'company.branded',
      'company.branded',
      'company.time-zone',
      'company.freezes-off',
      'company.freezes-on',
    ]);
    expect(entries.filter(({ kind }) => kind === 'team').map(({ subject }) => subject)).toEqual(
      Array(4).fill('Night Owls'),
    );
    // Enough of a code to know it by, not enough to join.
    const code = String(invite['code']);
    expect(entries.find(({ act }) => act === 'invite.created')?.subject).toBe(`${code.slice(0, 4)}…`);
    expect(JSON.stringify(entries)).not.toContain(code);
  });

  test('[S38] is not in the log when it was refused or failed, and signing in is for admins only', async () => {
    const email = newEmail();
    const { admin, orgId } = await foundOrganisation(identity, { email });
    const omar = await joinOrganisation(identity, orgId, { email: newEmail() });
    await admin.call('PATCH', `/api/members/${idOf(admin)}`, { role: 'member' });
    await admin.post('/api/teams', { name: 'Thunder', emoji: '🦉' });
    await omar.login('nobody@example.org');
    expect(await actsOf(admin)).toEqual([]);
    await admin.login(email);
    expect(await actsOf(admin)).toEqual(['access.signed-in']);
  });

  test('[S38] by whoever runs the instance stands there without a person', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const email = newEmail();
    await joinOrganisation(identity, orgId, { email, name: 'Omar' });
    await identity.app.get(Operator).appointAdmin(email, new Date());
    expect(await entriesOf(admin, '?kind=operator')).toMatchObject([
      { act: 'operator.admin-appointed', actor: null, subject: 'Omar', device: null },
    ]);
  });

  test('[S38] with what a service keeps that is not this one is told by it, once however often it comes', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const key = idOf(admin);
    const auditFact = (act: string, more: object) => ({
      type: 'ActAudited',
      version: 1,
      orgId,
      key,
      actorId: key,
      data: { act, text: null, count: null, device: 'Chrome on Android', ...more },
    });
    const said = await scoring.publish(
      auditFact('journey.started', { text: 'Camino Francés' }),
      auditFact('challenge.templates-saved', { count: 3 }),
    );
    await scoring.redeliver(...said, ...said.toReversed());
    await expect.poll(() => actsOf(admin)).toHaveLength(2);
    await scoring.publish(auditFact('journey.started', { text: 'Jakobsweg' }));
    await expect.poll(() => actsOf(admin, '?kind=journey')).toHaveLength(2);
    expect(await entriesOf(admin, '?kind=challenge')).toMatchObject([
      { act: 'challenge.templates-saved', count: 3, device: 'Chrome on Android', actor: { profileId: key } },
    ]);
    expect((await entriesOf(admin, '?kind=journey')).map(({ subject }) => subject).toSorted()).toEqual([
      'Camino Francés',
      'Jakobsweg',
    ]);
  });
});

/** The place of an entry among those read. */
const order = (entries: readonly AuditEntry[], { act, to }: { act: string; to: string | null }) =>
  entries.findIndex((entry) => entry.act === act && entry.to === to);

describe('what members ask for', () => {
  test('[S38] that only admins may do stands in the log once an hour for each call, not once for each try', async () => {
    const { admin, maya, omar } = await organisation(identity);
    const tries = Array.from({ length: 30 }, () => maya.call('PATCH', `/api/members/${idOf(maya)}`, { role: 'admin' }));
    for (const { status } of await Promise.all(tries)) expect(status).toBe(403);
    await maya.get('/api/audit?kind=member');
    await omar.get('/api/audit');
    const refused = (await entriesOf(admin, '?kind=access')).map(({ actor, subject }) => `${actor?.name}: ${subject}`);
    expect(refused.toSorted()).toEqual([
      'Maya Okafor: GET /api/audit',
      'Maya Okafor: PATCH /api/members/{id}',
      'Ömar 100%: GET /api/audit',
    ]);
  });

  test('[S38 D43] of their own data stands there, and of whoever was erased no name', async () => {
    const { admin, orgId } = await foundOrganisation(identity, { name: 'Ada' });
    const omar = await joinOrganisation(identity, orgId, { name: 'Canary Omar' });
    await admin.call('PATCH', `/api/members/${idOf(omar)}`, { role: 'admin' });
    const maya = await joinOrganisation(identity, orgId, { name: 'Canary Maya' });
    await maya.post('/api/me/export');
    const named = { name: 'Canary Maya', profileId: idOf(maya) };
    expect(await entriesOf(admin)).toMatchObject([
      { act: 'data.export-requested', actor: named },
      { act: 'member.appointed', subject: 'Canary Omar' },
    ]);
    expect((await maya.call('DELETE', '/api/me', { password })).status).toBe(200);
    const former = { name: 'A former member', profileId: null };
    expect(await entriesOf(admin)).toMatchObject([
      { act: 'data.account-erased', actor: former },
      { act: 'data.export-requested', actor: former },
      { act: 'member.appointed', subject: 'Canary Omar' },
    ]);
    expect((await fileOf(admin)).text).not.toContain('Canary Maya');
    const rows = await identity.rows('select * from audit.entries where org_id = $1', [orgId]);
    expect(JSON.stringify(rows)).not.toMatch(/Canary|Ada/);
  });
});

describe('the list', () => {
  test('[D53 D17] comes in pages, newest first, without a gap or an entry twice', async () => {
    const { admin } = await foundOrganisation(identity);
    for (const nth of [1, 2, 3, 4, 5, 6, 7]) await admin.post('/api/teams', { name: `Team ${nth}`, emoji: '🦉' });
    const all = await entriesOf(admin);
    const seen: AuditEntry[] = [];
    let path: string | undefined = '?limit=3';
    while (path !== undefined) {
      const answer = await admin.get(`/api/audit${path}`);
      seen.push(...auditEntriesSchema.parse(answer.body));
      const link: string | undefined = /<\/api\/audit(\?[^>]+)>; rel="next"/.exec(
        answer.headers.get('link') ?? '',
      )?.[1];
      path = link;
    }
    expect(seen).toEqual(all);
    expect(all.map(({ subject }) => subject)).toEqual([7, 6, 5, 4, 3, 2, 1].map((nth) => `Team ${nth}`));
  });

  test('[D53] leaves out what is of another kind, or of another day of the reader’s own time zone', async () => {
    const { admin, orgId } = await foundOrganisation(identity, { timeZone: 'Pacific/Kiritimati' });
    const put = (at: string) =>
      identity.rows(
        `insert into audit.entries (org_id, entry_id, happened_at, act) values ($1, gen_random_uuid(), $2, 'team.formed')`,
        [orgId, at],
      );
    // The islands are 14 hours ahead: their 10 March begins at 10:00 UTC on the 9th.
    for (const at of ['2026-03-09T09:59:59Z', '2026-03-09T10:00:00Z', '2026-03-10T09:59:59Z', '2026-03-10T10:00:00Z'])
      await put(at);
    const at = async (query: string) => (await entriesOf(admin, query)).map((entry) => entry.at.slice(8, 16));
    expect(await at('?from=2026-03-10&to=2026-03-10')).toEqual(['10T09:59', '09T10:00']);
    expect(await at('?to=2026-03-09')).toEqual(['09T09:59']);
    expect(await at('?from=2026-03-11&kind=team')).toEqual(['10T10:00']);
    expect(await at('?from=2026-03-11&kind=invite')).toEqual([]);
  });

  test.each(['kind=everything', 'from=yesterday', 'to=2026-02-30', 'limit=0', 'cursor=nonsense'])(
    '[D38] refuses %s with what is wrong',
    async (query) => {
      const { admin } = await foundOrganisation(identity);
      expect((await admin.get(`/api/audit?${query}`)).status).toBe(422);
    },
  );

  test('[S35] is taken along as CSV in which no name is a formula, and that is in the log too', async () => {
    const { admin, orgId } = await foundOrganisation(identity, { name: '=HYPERLINK("evil")' });
    await joinOrganisation(identity, orgId);
    await admin.post('/api/teams', { name: '+SUM(A1)', emoji: '🦉' });
    const { status, headers, text } = await fileOf(admin, '?kind=team');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="caravan-audit.csv"');
    const [head, row, end] = text.split('\n');
    expect(head).toBe('at,who,act,subject,from,to,count,device');
    expect(row).toMatch(/^20[^,]+Z,"'=HYPERLINK\(""evil""\)",team\.formed,'\+SUM\(A1\),,,,/);
    expect(end).toBe('');
    expect((await fileOf(admin, '?kind=journey')).text).toBe(`${head}\n`);
    expect((await entriesOf(admin, '?kind=data')).map(({ act, count }) => [act, count])).toEqual([
      ['data.audit-exported', 0],
      ['data.audit-exported', 1],
    ]);
  });
});

describe('the log itself', () => {
  test('[S38 D1] is append-only for this service, and shows an organisation its own entries only', async () => {
    const a = await foundOrganisation(identity);
    const b = await foundOrganisation(identity);
    for (const { admin } of [a, b]) await admin.post('/api/teams', { name: 'Owls', emoji: '🦉' });
    for (const statement of [
      'update audit.entries set act = act',
      'delete from audit.entries',
      'truncate audit.entries',
    ])
      await expect(withSystem(identity.pool, (tx) => tx.query(statement))).rejects.toThrow(/permission denied/);
    const { rows } = await withTenant(identity.pool, a.orgId, (tx) =>
      tx.query<{ orgId: string }>('select distinct org_id from audit.entries'),
    );
    expect(rows).toEqual([{ orgId: a.orgId }]);
    const forOther = `insert into audit.entries (org_id, entry_id, happened_at, act) values ($1, gen_random_uuid(), now(), 'team.formed')`;
    await expect(withTenant(identity.pool, a.orgId, (tx) => tx.query(forOther, [b.orgId]))).rejects.toThrow(
      /row-level security/,
    );
    expect((await identity.pool.query('select from audit.entries')).rowCount).toBe(0);
  });

  test('[S38] is kept for a year: what is older goes, and nothing younger can be made to go', async () => {
    const { orgId } = await foundOrganisation(identity);
    const put = (age: string) =>
      identity.rows(
        `insert into audit.entries (org_id, entry_id, happened_at, act)
          values ($1, gen_random_uuid(), now() - $2::interval, 'team.formed')`,
        [orgId, age],
      );
    for (const age of ['364 days', '367 days', '3 years']) await put(age);
    await identity.app.get(DeleteOldAuditEntries).forget();
    const left = 'select (now() - happened_at) > interval $$363 days$$ as old from audit.entries where org_id = $1';
    expect(await identity.rows(left, [orgId])).toEqual([{ old: true }]);
    await expect(identity.rows('select audit.forget_before(now())')).rejects.toThrow('kept for a year');
    const owner = createPatientPool(identity.ownerUrl, { max: 1 });
    // Without an organisation not even the owner deletes any.
    const { rows } = await owner.query<{ count: string }>(
      `select audit.forget_before(now() - interval '366 days') as count`,
    );
    await owner.end();
    expect(Number(rows[0]?.count)).toBe(0);
  });

  test('[S18 S21] is no member’s and no stranger’s', async () => {
    const { admin, maya } = await organisation(identity);
    for (const path of ['/api/audit', '/api/audit/file']) {
      expect((await maya.get(path)).status).toBe(403);
      expect((await identity.visitor().get(path)).status).toBe(401);
    }
    const other = (await foundOrganisation(identity)).admin;
    const marks = JSON.stringify(await entriesOf(other));
    expect(marks).not.toContain(claimsOf(admin).org);
    expect(marks).not.toContain('Maya');
  });
});
