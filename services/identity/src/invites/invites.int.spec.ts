import { randomUUID } from '@caravan/contracts/testing/seeded';
import { inviteSchema, invitesSchema } from '@caravan/contracts/http/organisations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { claimsOf, foundOrganisation, joinOrganisation, protectedFields } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000', PUBLIC_URL: 'https://caravan.test' });
});
afterAll(() => identity.close());

const create = async (admin: Visitor, body: object = {}) =>
  inviteSchema.strict().parse((await admin.post('/api/invites', body)).body);
const list = async (admin: Visitor) => invitesSchema.parse((await admin.get('/api/invites')).body);
const revoke = (admin: Visitor, id: string) => admin.call('DELETE', `/api/invites/${id}`);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('POST /api/invites', () => {
  test('[D1 D43 S20] answers a code and a link that admit as member for fourteen days', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const invite = await create(admin);
    expect(invite).toMatchObject({ maxUses: null, uses: 0, domains: [], teamId: null, state: 'open' });
    expect(invite.code).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
    expect(invite.url).toBe(`https://caravan.test/signup?invite=${invite.code}`);
    expect(Date.parse(invite.expiresAt) - Date.parse(invite.createdAt)).toBe(14 * 86_400_000);
    const newcomer = identity.visitor();
    expect((await newcomer.signUp({ invite: invite.code })).body['user']).toMatchObject({ role: 'member' });
    expect(claimsOf(newcomer).org).toBe(orgId);
    expect(await list(admin)).toEqual([{ ...invite, uses: 1 }]);
  });

  test('[D1 D43] keeps uses, domains and team to what the admin says', async () => {
    const { admin, assignedTeam } = await foundOrganisation(identity);
    const terms = { maxUses: 1, teamId: assignedTeam.id, expiresAt: inDays(3) };
    const invite = await create(admin, {
      ...terms,
      domains: ['@Acme.Example', 'acme.example', 'b.example', 'Почта.рф'],
    });
    expect(invite).toMatchObject({ ...terms, domains: ['acme.example', 'b.example', 'xn--80a1acny.xn--p1ai'] });
    const { code } = invite;
    expect((await identity.visitor().signUp({ invite: code })).body['code']).toBe('invite/other-domain');
    const { body } = await identity.visitor().signUp({ invite: code, email: `p-${randomUUID()}@b.example` });
    expect(body['assignedTeam']).toMatchObject({ id: assignedTeam.id });
    expect((await list(admin))[0]).toMatchObject({ uses: 1, state: 'used-up' });
  });

  test('[D43] codes differ', async () => {
    const { admin } = await foundOrganisation(identity);
    const invites = await Promise.all(Array.from({ length: 30 }, () => create(admin)));
    expect(new Set(invites.map(({ code }) => code)).size).toBe(30);
  });

  test('[D38] the same Idempotency-Key is the same invite; with other terms it is refused', async () => {
    const { admin } = await foundOrganisation(identity);
    const send = (body: object) => admin.post('/api/invites', body, { 'idempotency-key': 'one' });
    const first = await send({ maxUses: 3 });
    const again = await send({ maxUses: 3 });
    expect(again.body).toEqual(first.body);
    expect((await send({ maxUses: 4 })).status).toBe(422);
    expect(await list(admin)).toHaveLength(1);
  });

  test.each([
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'The expiry must be in the future'],
    [{ expiresAt: inDays(400) }, 'The expiry can be a year ahead at most'],
    [{ expiresAt: 'tomorrow' }, 'Invalid date format'],
    [{ expiresAt: '2026-13-45T00:00:00Z' }, 'Invalid date format'],
    [{ maxUses: 0 }, 'An invite must allow at least one use'],
    [{ maxUses: -1 }, 'An invite must allow at least one use'],
    [{ maxUses: 1.5 }, 'Uses must be a whole number'],
    [{ maxUses: '3' }, 'Uses must be a whole number'],
    [{ maxUses: 1e9 }, 'An invite allows at most 100000 uses'],
    [{ domains: ['nonsense'] }, 'Not an e-mail domain'],
    [{ domains: ['почта рф'] }, 'Not an e-mail domain'],
    [{ domains: ["acme.example'--"] }, 'Not an e-mail domain'],
    [{ domains: Array.from({ length: 21 }, (_, nth) => `d${nth}.example`) }, 'At most 20 domains'],
    [{ domains: 'acme.example' }, /./],
  ])('[D38 D43] %j is refused', async (body, message) => {
    const { admin } = await foundOrganisation(identity);
    const answer = await admin.post('/api/invites', body);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(await list(admin)).toEqual([]);
  });

  test('[D4] a team that is not ours does not exist, a retired one takes nobody', async () => {
    const { admin } = await foundOrganisation(identity);
    const theirs = await foundOrganisation(identity);
    for (const teamId of [theirs.assignedTeam.id, randomUUID(), 'nonsense', ''])
      expect((await admin.post('/api/invites', { teamId })).status).toBe(404);
    const { body: team } = await admin.post('/api/teams', { name: 'Owls', emoji: '🦉' });
    await admin.call('PATCH', `/api/teams/${String(team['id'])}`, { retired: true });
    const refused = await admin.post('/api/invites', { teamId: team['id'] });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'teamId' }] } });
  });

  test('[S19] protected fields change nothing', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const invite = await create(admin, { ...protectedFields, revokedAt: inDays(-1), isActive: false, role: 'admin' });
    expect(invite).toMatchObject({ uses: 0, state: 'open' });
    expect([invite.id, invite.code]).not.toContain(protectedFields.id);
    expect(invite.code).not.toBe('MINE');
    const [row] = await identity.rows<{ orgId: string; createdBy: string }>(
      'select org_id, created_by from invites where invite_id = $1',
      [invite.id],
    );
    expect(row).toEqual({ orgId, createdBy: claimsOf(admin).sub });
  });
});

describe('invites', () => {
  test('[D17 D43] are listed newest first, in pages', async () => {
    const { admin } = await foundOrganisation(identity);
    const created = [];
    for (let nth = 0; nth < 5; nth += 1) created.unshift((await create(admin)).id);
    const walked = [];
    for (let path: string | undefined = '/api/invites?limit=2'; path;) {
      const { body, headers } = await admin.get(path);
      walked.push(...invitesSchema.parse(body));
      path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(walked.map(({ id }) => id)).toEqual(created);
  });

  test('[D1 D43] are revoked, again and again without harm, and admit nobody any more', async () => {
    const { admin } = await foundOrganisation(identity);
    const { id, code } = await create(admin);
    const first = await revoke(admin, id);
    const again = await revoke(admin, id);
    expect(first).toMatchObject({ status: 200, body: { id, state: 'revoked' } });
    expect(again.body).toEqual(first.body);
    expect((await identity.visitor().signUp({ invite: code })).body['code']).toBe('invite/revoked');
  });

  test('[D43] tell how they stand', async () => {
    const { admin } = await foundOrganisation(identity);
    const { id } = await create(admin);
    await identity.rows("update invites set expires_at = now() - interval '1 second' where invite_id = $1", [id]);
    expect((await list(admin))[0]?.state).toBe('expired');
  });

  test('[D4 S18 S21] of another organisation do not exist, and members see none', async () => {
    const ours = await foundOrganisation(identity);
    const theirs = await foundOrganisation(identity);
    const { id } = await create(theirs.admin);
    for (const unknown of [id, randomUUID(), 'nonsense']) expect((await revoke(ours.admin, unknown)).status).toBe(404);
    expect((await list(theirs.admin))[0]?.state).toBe('open');
    expect(await list(ours.admin)).toEqual([]);
    const member = await joinOrganisation(identity, theirs.orgId);
    for (const answer of [
      await member.get('/api/invites'),
      await member.post('/api/invites'),
      await revoke(member, id),
    ])
      expect(answer.status).toBe(403);
  });
});
