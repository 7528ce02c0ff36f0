import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../testing/identity.ts';
import { claimsOf, founded } from '../testing/organisations.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

const nativeTypes: Record<string, string> = {
  ...{ 'String @db.Uuid': 'uuid', 'DateTime @db.Timestamptz(6)': 'timestamptz', 'DateTime @db.Date': 'date' },
  ...{
    String: 'text',
    'String[]': '_text',
    'DateTime[] @db.Timestamptz(6)': '_timestamptz',
    Int: 'int4',
    'Int @db.SmallInt': 'int2',
    BigInt: 'int8',
    Boolean: 'bool',
    Bytes: 'bytea',
    Json: 'jsonb',
  },
};

/** Columns as the Prisma schema declares them: `table.column type [null]`. */
function declaredColumns(): string[] {
  const schema = readFileSync(resolve(import.meta.dirname, 'schema.prisma'), 'utf8');
  return [...schema.matchAll(/^model \w+ \{\n(.*?)^\}/gms)].flatMap(([, body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    const fields = body.split('\n').flatMap((line) => {
      const [, field, type = '', optional, rest = ''] = /^ {2}(\w+)\s+(\w+(?:\[\])?)(\?)?(.*)$/.exec(line) ?? [];
      const native = nativeTypes[[type, /@db\.\w+(?:\(\d\))?/.exec(rest)?.[0]].filter(Boolean).join(' ')];
      if (field === undefined || native === undefined) return [];
      const column = /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field;
      return [`${table}.${column} ${native}${optional ? ' null' : ''}`];
    });
    return fields;
  });
}

test('the Prisma schema declares exactly the columns that the migrations make', async () => {
  const { rows } = await identity.pool.query<{ column: string }>(
    `select table_name || '.' || column_name || ' ' || udt_name || case is_nullable when 'YES' then ' null' else '' end as column
      from information_schema.columns where table_schema = 'public' and table_name <> '_prisma_migrations'`,
  );
  expect(rows.length).toBeGreaterThan(60);
  expect(declaredColumns().toSorted()).toEqual(rows.map(({ column }) => column).toSorted());
});

test('[3.6] an organisation is founded with a name, a time and no look of its own: colour and welcome are the defaults', async () => {
  const { admin, orgId } = await founded(identity, { organizationName: 'Acme' });
  const [row] = await identity.rows<{ foundedAt: Date }>(
    `select org_id as id, name, logo_data_url as logo, brand_colors as colors, founded_at as "foundedAt"
      from organisations where org_id = $1`,
    [orgId],
  );
  expect(row).toEqual({ id: orgId, name: 'Acme', logo: null, colors: [], foundedAt: expect.any(Date) });
  expect(row?.foundedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect((await admin.get('/api/org/branding')).body).toEqual({
    ...{ name: 'Acme', logoUrl: null, primaryColor: '#ea580c' },
    welcomeMessage: 'Welcome to your team wellness platform!',
  });
});

test('[3.7] a team has an id, a name and an emoji, and belongs to one organisation', async () => {
  const { admin, assignedTeam, orgId } = await founded(identity);
  const teams = 'select org_id as "organizationId", team_id as id, name, emoji from teams where team_id = $1';
  expect(await identity.rows(teams, [assignedTeam.id])).toEqual([
    { organizationId: orgId, id: assignedTeam.id, name: 'Thunder', emoji: '⚡' },
  ]);
  const homeless = `insert into teams (org_id, team_id, name, emoji, formed_at)
    values (gen_random_uuid(), gen_random_uuid(), 'Lost', '🧭', now())`;
  await expect(identity.rows(homeless)).rejects.toThrow(/foreign key/);
  expect((await admin.get('/api/me')).body['team']).toEqual(assignedTeam);
});

test('a person begins active, lightly moving, without miles, streak or words about themselves', async () => {
  const { admin } = await founded(identity, { name: 'Ada Admin', email: 'Ada.Entity@example.org' });
  const { sub, org } = claimsOf(admin);
  const [row] = await identity.rows(
    `select p.name, p.email, p.bio, p.location, p.favorite_activity, p.activity_level, p.profile_photo_url,
        m.is_active, m.role, c.password_hash like '$argon2id$%' as hashed, s.total_centimiles as miles
      from persons p join credentials c using (org_id, user_id) join memberships m using (org_id, user_id)
        join member_scores s using (org_id, user_id) where p.org_id = $1 and p.user_id = $2`,
    [org, sub],
  );
  expect(row).toEqual({
    ...{ name: 'Ada Admin', email: 'Ada.Entity@example.org', bio: '', location: '', favorite_activity: '' },
    ...{ activity_level: 'light', profile_photo_url: null, is_active: true, role: 'admin', hashed: true, miles: 0 },
  });
  const twin = await identity.visitor().signUp({ email: 'ada.entity@example.ORG' });
  expect(twin.status).toBe(409);
});
