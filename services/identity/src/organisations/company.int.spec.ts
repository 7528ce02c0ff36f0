import { brandingSchema } from '@caravan/contracts/http/accounts';
import { companySchema } from '@caravan/contracts/http/organisations';
import { versionOf } from '@caravan/contracts/domain/version';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { foundOrganisation, joinOrganisation, protectedFields, recordedTypes } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const northwind = {
  companyName: 'Northwind Outdoors',
  employeeRange: '51-100',
  brandTraits: ['bold', 'playful'],
  industry: 'Retail',
  brandColors: ['#0F766E', '#f59e0b'],
};
const setUp = (admin: Visitor, changes: object = {}) => admin.post('/api/company/setup', { ...northwind, ...changes });
const company = async (admin: Visitor) => companySchema.strict().parse((await admin.get('/api/company')).body);
const branding = async (one: Visitor) => brandingSchema.strict().parse((await one.get('/api/org/branding')).body);

describe('POST /api/company/setup', () => {
  test('[1.21 7.32 5.15 3.20 3.47 D39 S20] names and brands the organisation, and everybody sees it', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const live = await listenLive(identity.env, orgId);
    expect(await company(admin)).toEqual({
      companyName: 'Acme',
      employeeRange: null,
      brandTraits: [],
      industry: '',
      logoUrl: null,
      brandColors: [],
      setUpAt: null,
      welcomeMessage: 'Welcome to your team wellness platform!',
      timeZone: 'UTC',
      comingTimeZone: null,
    });
    const answer = await setUp(admin);
    expect(answer.status).toBe(200);
    const expected = {
      ...northwind,
      brandColors: ['#0f766e', '#f59e0b'],
      logoUrl: null,
      setUpAt: expect.any(String),
      welcomeMessage: 'Welcome to your team wellness platform!',
      timeZone: 'UTC',
      comingTimeZone: null,
    };
    expect(companySchema.strict().parse(answer.body)).toEqual(expected);
    expect(await company(admin)).toEqual(expected);
    const member = await joinOrganisation(identity, orgId);
    expect(await branding(member)).toEqual({
      name: 'Northwind Outdoors',
      primaryColor: '#0f766e',
      secondaryColor: '#f59e0b',
      logoUrl: null,
      welcomeMessage: 'Welcome to your team wellness platform!',
    });
    await expect.poll(() => [...live.kinds]).toContain('branding');
    await live.close();
  });

  test('[3.4] chooses the words of welcome, keeps them when nothing is said of them, and gives them back', async () => {
    const { admin } = await foundOrganisation(identity);
    await setUp(admin, { welcomeMessage: '  Lace up! 🥾 ' });
    expect((await branding(admin)).welcomeMessage).toBe('Lace up! 🥾');
    await setUp(admin);
    expect((await company(admin)).welcomeMessage).toBe('Lace up! 🥾');
    await setUp(admin, { welcomeMessage: '' });
    expect((await branding(admin)).welcomeMessage).toBe('Welcome to your team wellness platform!');
  });

  test('[7.32 D38] saves on the company that the admin has seen, and not on one that another has changed', async () => {
    const { admin } = await foundOrganisation(identity);
    const seenVersion = async () => ({ 'if-match': `"${versionOf((await admin.get('/api/company')).body)}"` });
    const before = await seenVersion();
    const first = await admin.post('/api/company/setup', northwind, before);
    expect(first.status).toBe(200);
    const stale = await admin.post('/api/company/setup', { ...northwind, companyName: 'Acme' }, before);
    expect([stale.status, stale.body['code']]).toEqual([412, 'request/changed-meanwhile']);
    expect((await company(admin)).companyName).toBe('Northwind Outdoors');
    const again = await admin.post('/api/company/setup', { ...northwind, industry: 'Shops' }, await seenVersion());
    expect([again.status, again.body['industry']]).toEqual([200, 'Shops']);
  });

  test('[7.32] is told when it says something new, and keeps its first date', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const { body } = await setUp(admin);
    await setUp(admin);
    await setUp(admin, { brandColors: ['#000000', '#ffffff'] });
    await setUp(admin, { industry: 'Sports' });
    expect((await recordedTypes(identity, orgId)).filter((type) => type === 'CompanySetUp')).toHaveLength(2);
    expect((await company(admin)).setUpAt).toBe(body['setUpAt']);
    expect((await setUp(admin)).headers.get('x-event-position')).toMatch(/^identity:\d+@\d+$/);
  });

  test('[D1] the log holds no name and no industry', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    await setUp(admin, { companyName: 'Canary Gmbh', industry: 'Canary breeding' });
    const log = await identity.rows('select data, meta from es.events where org_id = $1', [orgId]);
    expect(JSON.stringify(log)).not.toContain('Canary');
  });

  test.each([
    [{ companyName: undefined }, 'Company name is required'],
    [{ companyName: '' }, 'Company name is required'],
    [{ companyName: '  \u200b ' }, 'Company name is required'],
    [{ companyName: 'x'.repeat(81) }, 'Company name must be at most 80 characters'],
    [{ companyName: ['x'] }, 'Company name is required'],
    [{ companyName: 'a\u0000b' }, 'NUL characters are not allowed'],
    [{ employeeRange: undefined }, 'Select the number of employees'],
    [{ employeeRange: '1-1000' }, 'Select the number of employees'],
    [{ brandTraits: undefined }, 'Select at least one brand trait'],
    [{ brandTraits: [] }, 'Select at least one brand trait'],
    [{ brandTraits: ['bold', 'playful', 'innovative', 'professional'] }, 'Select up to 3 brand traits'],
    [{ brandTraits: ['loud'] }, 'Unknown brand trait'],
    [{ brandColors: ['#000000'] }, 'Select exactly 2 brand colors'],
    [{ brandColors: ['#000000', '#ffffff', '#ff0000'] }, 'Select exactly 2 brand colors'],
    [{ brandColors: undefined }, 'Select exactly 2 brand colors'],
    [{ brandColors: ['red', '#ffffff'] }, 'Colors are written as #rrggbb'],
    [{ brandColors: ['#fff;x:url(//a)', '#ffffff'] }, 'Colors are written as #rrggbb'],
    [{ industry: 'x'.repeat(81) }, 'Industry must be at most 80 characters'],
    [{ welcomeMessage: 'x'.repeat(121) }, 'Welcome message must be at most 120 characters'],
    [{ logoUrl: 7 }, /./],
  ])('[5.15 5.16 D38] %j is refused in the specification’s words, and nothing is written', async (changes, message) => {
    const { admin } = await foundOrganisation(identity);
    const before = await company(admin);
    const { status, body } = await setUp(admin, changes);
    expect(status).toBe(422);
    expect(body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(body['errors']).toBeInstanceOf(Array);
    expect(await company(admin)).toEqual(before);
  });

  test.each(['1-25', '26-50', '51-100', '101-250', '251+'])('[5.15] takes %s employees', async (employeeRange) => {
    const { admin } = await foundOrganisation(identity);
    expect((await setUp(admin, { employeeRange })).body['employeeRange']).toBe(employeeRange);
  });
});

describe('what POST /api/company/setup accepts', () => {
  test('[5.15] a trait that comes twice counts once', async () => {
    const { admin } = await foundOrganisation(identity);
    const brandTraits = ['bold', 'bold', 'bold', 'innovative'];
    expect((await setUp(admin, { brandTraits })).body['brandTraits']).toEqual(['bold', 'innovative']);
  });

  test.each(['🏔️ Ümläut & Söhne', 'شركة القافلة', '<img src=x onerror=alert(1)>', "O'Hara; drop table teams"])(
    '[S35] the name %j stays what it is',
    async (companyName) => {
      const { admin } = await foundOrganisation(identity);
      await setUp(admin, { companyName });
      expect((await branding(admin)).name).toBe(companyName);
    },
  );

  test('[6.7 S21 D3] is for admins', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const member = await joinOrganisation(identity, orgId);
    expect((await setUp(member)).status).toBe(403);
    expect((await member.get('/api/company')).status).toBe(403);
    expect((await company(admin)).setUpAt).toBeNull();
  });

  test('[S18 S19] protected fields change nothing, and nothing reaches another organisation', async () => {
    const ours = await foundOrganisation(identity);
    const theirs = await foundOrganisation(identity, { organizationName: 'Theirs' });
    const foreign = { orgId: theirs.orgId, org_id: theirs.orgId, companyId: theirs.orgId };
    const { status, body } = await setUp(ours.admin, {
      ...protectedFields,
      ...foreign,
      name: 'X',
      zones: { first: 'Asia/Tokyo', changes: [] },
      foundedAt: '2020-01-01T00:00:00Z',
    });
    expect(status).toBe(200);
    expect(Date.parse(String(body['setUpAt']))).toBeGreaterThan(Date.now() - 60_000);
    expect((await branding(ours.admin)).welcomeMessage).toBe('Welcome to your team wellness platform!');
    expect((await branding(theirs.admin)).name).toBe('Theirs');
    const [row] = await identity.rows('select time_zone from organisations where org_id = $1', [ours.orgId]);
    expect(row).toEqual({ timeZone: 'UTC' });
  });

  test('[D38] takes 1 MB here and 100 KB elsewhere', async () => {
    const { admin } = await foundOrganisation(identity);
    expect((await setUp(admin, { padding: 'x'.repeat(1_000_000) })).status).toBe(200);
    expect((await setUp(admin, { padding: 'x'.repeat(1_050_000) })).status).toBe(413);
    expect((await admin.post('/api/teams', { padding: 'x'.repeat(103_000) })).status).toBe(413);
  });
});

test('[7.9 3.3 3.4 9.16 D39] the branding is for the signed-in, and shows the defaults until the company is set up', async () => {
  const { admin, orgId } = await foundOrganisation(identity, { organizationName: 'Acme' });
  const defaults = {
    name: 'Acme',
    primaryColor: '#ea580c',
    logoUrl: null,
    welcomeMessage: 'Welcome to your team wellness platform!',
  };
  for (const one of [admin, await joinOrganisation(identity, orgId)]) expect(await branding(one)).toEqual(defaults);
  expect((await identity.visitor().get('/api/org/branding')).status).toBe(401);
});
