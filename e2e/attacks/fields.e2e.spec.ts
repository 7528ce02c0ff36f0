import { settle } from '@caravan/check-invariants/invariants';
import { expect, test } from '@playwright/test';
import { target } from '../env.ts';
import { exampleCall, examples } from './examples.ts';
import { allOperations, fieldsOf } from './places.ts';
import { Rows } from './rows.ts';
import { type Call, send } from './send.ts';
import { type Party, party } from './world.ts';

const rows = new Rows();
let home: Party;
let other: Party;

test.beforeAll(async () => {
  [home, other] = [await party('Fields'), await party('Other')];
});
test.afterAll(() => rows.close());

/** What only the product itself may say. */
const protectedFields = () => ({
  id: other.member.id,
  userId: other.member.id,
  user_id: other.member.id,
  orgId: other.orgId,
  org_id: other.orgId,
  role: 'admin',
  isAdmin: true,
  isActive: false,
  teamId: other.teamId,
  totalMiles: 99_999,
  centimiles: 99_999,
  passwordHash: 'x',
  emailVerified: true,
  streakCount: 365,
  multiplier: 100,
  milesEarned: 500,
  sessionId: other.logId,
});

type Row = Record<string, unknown>;
const columns = {
  'identity.memberships': ['user_id', 'team_id', 'role', 'is_active'],
  'identity.credentials': ['user_id', 'email_key', 'password_hash'],
  'identity.organisations': ['org_id'],
  'activity.member_miles': ['user_id', 'centimiles'],
};

/** Who belongs where as what, and how many miles that is. */
async function standingIn({ orgId }: Party): Promise<Row[]> {
  const all = await rows.of(orgId);
  return Object.entries(columns).flatMap(([table, names]) =>
    (all[table] ?? []).map((text) => {
      const row = JSON.parse(text) as Row;
      return Object.fromEntries(names.map((name) => [name, row[name]]));
    }),
  );
}

for (const [id, operation] of allOperations.filter(([, { body }]) => body)) {
  test(`[S19 D38] ${id} takes no notice of what only the product may say`, async () => {
    const others = await standingIn(other);
    const example = examples[id];
    // What the call changes by right it changes the first time.
    if (!example.by) await send(operation, (await exampleCall(example, home, operation.access)).call, home.admin);
    const { person, call } = await exampleCall(example, home, operation.access);
    const known = new Set(fieldsOf(operation.body));
    const extra = Object.fromEntries(Object.entries(protectedFields()).filter(([name]) => !known.has(name)));
    expect(Object.keys(extra).length).toBeGreaterThanOrEqual(14);
    const before = await standingIn(home);
    const sender = operation.access === 'cookie' ? { cookie: person.cookie } : person;
    const { status, told } = await send(operation, { ...call, body: withExtra(call.body, extra) }, sender);
    expect(status < 300 || status === example.refusedWith, `${id} was answered ${status}: ${told}`).toBe(true);
    const after = await standingIn(home);
    if (id === 'eraseMe' || id === 'signup') expect(Math.abs(after.length - before.length)).toBeLessThanOrEqual(2);
    else if (id === 'logMovement') expect(milesIn(after) - milesIn(before)).toBe(100);
    // From 30 minutes to 20.
    else if (id === 'correctLog') expect(milesIn(after) - milesIn(before)).toBe(-100);
    else expect(after).toEqual(before);
    expect(admins(after)).toEqual(admins(before));
    expect(await standingIn(other)).toEqual(others);
  });
}

/** Of a list each item gets them. */
function withExtra(body: Call['body'], extra: Row): NonNullable<Call['body']> {
  const withExtraFields = (one: Row | undefined): Row => ({ ...extra, ...one });
  return isList(body) ? body.map(withExtraFields) : withExtraFields(body);
}

const isList = (body: Call['body']): body is readonly Readonly<Row>[] => Array.isArray(body);

const milesIn = (standing: Row[]) => standing.reduce((sum, { centimiles = 0 }) => sum + Number(centimiles), 0);
const admins = (standing: Row[]) => standing.filter(({ role }) => role === 'admin');

for (const [id, operation] of allOperations) {
  test(`[S20] ${id} answers with the fields of its schema and no others`, async () => {
    const example = examples[id];
    const { person, call } = await exampleCall(example, home, operation.access);
    const sender = operation.access === 'cookie' ? { cookie: person.cookie } : person;
    const { status, json, headers } = await send(operation, call, sender);
    if (status === example.refusedWith) return;
    const schema = operation.answers[status];
    expect(schema, `${id} answered ${status}`).toBeDefined();
    if (operation.mediaType) expect(headers.get('content-type')).toContain(operation.mediaType);
    // A schema drops what it does not know: what comes out unchanged held nothing else.
    else expect(schema?.parse(json)).toEqual(json);
  });
}

/** What a member's screens ask for; of streams and files nothing is waited for. */
const reads = allOperations.filter(
  ([id, { method, access, mediaType }]) =>
    method === 'get' && access !== 'public' && access !== 'cookie' && mediaType === undefined && !examples[id].by,
);

for (const [id, operation] of allOperations.filter(([, { method }]) => method !== 'get')) {
  test(`[D35] after ${id} the caller’s next reads wait for nothing that never comes`, async () => {
    expect(reads.length).toBeGreaterThan(20);
    const commandRow = async () => {
      const { person, call } = await exampleCall(examples[id], home, operation.access);
      await send(operation, call, operation.access === 'cookie' ? { cookie: person.cookie } : person);
      return person;
    };
    // What follows only the first time, a badge for instance, would bring the caller's reads up to date by another way.
    if (!examples[id].by) await commandRow();
    const person = await commandRow();
    // What the service is still told of the command comes within a second, or the answer says that it is stale.
    let stale = reads;
    const readAgain = async () => {
      const before = stale;
      stale = [];
      for (const [read, asked] of before) {
        const { headers } = await send(asked, examples[read].call?.(home), person);
        if (headers.get('x-stale') !== null) stale.push([read, asked]);
      }
      return stale.map(([read]) => read);
    };
    await expect.poll(readAgain).toEqual([]);
  });
}

test('[I3 I9 I12] after all of it every count is right, everybody is known, and whoever was erased is forgotten', async () => {
  await settle(target().postgres, 30_000);
});
