import { resolve } from 'node:path';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../testing/identity.ts';
import { claimsOf, foundOrganisation } from '../testing/organisations.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const migrated = await migratedInto(identity.pool);
  expect(migrated.length).toBeGreaterThan(60);
  expect(declaredIn(resolve(import.meta.dirname, 'schema.prisma'))).toEqual(migrated);
});

test('[3.6] an organisation is founded with a name, a time and no look of its own: colour and welcome are the defaults', async () => {
  const { admin, orgId } = await foundOrganisation(identity, { organizationName: 'Acme' });
  const [row] = await identity.rows<{ foundedAt: Date }>(
    `select org_id as id, name, logo_data_url as logo, brand_colors as colors, founded_at
      from organisations where org_id = $1`,
    [orgId],
  );
  expect(row).toEqual({ id: orgId, name: 'Acme', logo: null, colors: [], foundedAt: expect.any(Date) });
  expect(row?.foundedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect((await admin.get('/api/org/branding')).body).toEqual({
    name: 'Acme',
    logoUrl: null,
    primaryColor: '#ea580c',
    welcomeMessage: 'Welcome to your team wellness platform!',
  });
});

test('[3.7] a team has an id, a name and an emoji, and belongs to one organisation', async () => {
  const { admin, assignedTeam, orgId } = await foundOrganisation(identity);
  const teams = 'select org_id as organization_id, team_id as id, name, emoji from teams where team_id = $1';
  expect(await identity.rows(teams, [assignedTeam.id])).toEqual([
    { organizationId: orgId, id: assignedTeam.id, name: 'Thunder', emoji: '⚡' },
  ]);
  const homeless = `insert into teams (org_id, team_id, name, emoji, formed_at)
    values (gen_random_uuid(), gen_random_uuid(), 'Lost', '🧭', now())`;
  await expect(identity.rows(homeless)).rejects.toThrow(/foreign key/);
  expect((await admin.get('/api/me')).body['team']).toEqual(assignedTeam);
});

test('a person begins active, lightly moving, without miles, streak or words about themselves', async () => {
  const { admin } = await foundOrganisation(identity, { name: 'Ada Admin', email: 'Ada.Entity@example.org' });
  const { sub, org } = claimsOf(admin);
  const [row] = await identity.rows(
    `select p.name, p.email, p.bio, p.location, p.favorite_activity, p.activity_level, p.profile_photo_url,
        m.is_active, m.role, c.password_hash like '$argon2id$%' as hashed, s.total_centimiles as miles
      from persons p join credentials c using (org_id, user_id) join memberships m using (org_id, user_id)
        join member_scores s using (org_id, user_id) where p.org_id = $1 and p.user_id = $2`,
    [org, sub],
  );
  expect(row).toEqual({
    name: 'Ada Admin',
    email: 'Ada.Entity@example.org',
    bio: '',
    location: '',
    favoriteActivity: '',
    activityLevel: 'light',
    profilePhotoUrl: null,
    isActive: true,
    role: 'admin',
    hashed: true,
    miles: 0,
  });
  const twin = await identity.visitor().signUp({ email: 'ada.entity@example.ORG' });
  expect(twin.status).toBe(409);
});
