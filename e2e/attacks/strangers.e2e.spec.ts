import type { Operation } from '@caravan/contracts/http/operations/operation';
import { expect, test } from '@playwright/test';
import type { Naming } from './example.ts';
import { exampleCall, examples } from './examples.ts';
import { allOperations, type Place, placesOf } from './places.ts';
import { Rows } from './rows.ts';
import { type Call, send } from './send.ts';
import { outsiders, type Party, party } from './world.ts';

// Lists with a second page: their cursors are B's own, not made up.
const listsWithPages = ['listInvites', 'listMembers', 'listOwnLogs', 'readFeedOfAll'];

// Two organisations and everybody who might try: whatever A's people or nobody at all name of B, B's rows stay byte for
// byte what they were, and nothing of B is told.
const rows = new Rows();
let [a, b]: Party[] = [];
let strangers: Record<string, { token?: string }>;

test.beforeAll(async () => {
  [a, b] = [await party('Attacker'), await party('Canary')];
  strangers = await outsiders(a, b);
  await rows.untilAtRest(b.orgId);
});
test.afterAll(() => rows.close());

test('[S18] what is named of the other organisation is really there', () => {
  const { cursors } = parties().b;
  expect(Object.keys(cursors)).toEqual(expect.arrayContaining(listsWithPages));
  for (const list of listsWithPages) expect(cursors[list as keyof typeof cursors]).toBeDefined();
});

function parties(): { a: Party; b: Party } {
  if (!a || !b) throw new Error('two organisations');
  return { a, b };
}

const isNaming = (naming: Naming | 'secret' | undefined): naming is Naming => typeof naming === 'object';

/** The call with B's thing at a place. */
function attempt(call: Call, { place, attack }: { place: Place; attack: Naming }, b: Party) {
  const [where = '', ...name] = place.split('.');
  const part = where as keyof Call;
  const sent = attack.of(b);
  const value = name.at(-1) === 'ids' ? [sent] : sent;
  const naming = (one: object | undefined) => ({ ...one, [name.join('.')]: value });
  const { body } = call;
  const stolen = part === 'body' && Array.isArray(body) ? body.map(naming) : naming(call[part]);
  return { sent, stolen: { ...call, [part]: stolen } };
}

/** The refusal of a role that may not call the operation at all. */
function refusalOf({ access }: Operation, role: string): number | undefined {
  if (role === 'guest' && (access === 'member' || access === 'admin')) return 409;
  return role === 'member' && access === 'admin' ? 403 : undefined;
}

function expectUntold(told: string, sent: string): void {
  const { b } = parties();
  const ids = [b.orgId, b.teamId, b.logId, b.inviteId, b.member.id, b.admin.id, b.member.sessionId];
  const forbidden = [...b.secrets, ...ids.filter((id) => id !== sent)];
  expect(forbidden.filter((secret) => told.includes(secret))).toEqual([]);
}

for (const [id, operation] of allOperations) {
  const places = placesOf(operation);
  const { names = {}, refusedWith } = examples[id];

  test(`[S18] ${id}: every place that can name a thing has an attack`, () => {
    expect(Object.keys(names).toSorted()).toEqual(places.toSorted());
  });

  test(`[S18 D4] ${id} gives nothing of another organisation and changes nothing of it`, async () => {
    const { a, b } = parties();
    const before = await rows.of(b.orgId);
    expect(Object.values(before).flat().length).toBeGreaterThan(30);
    const isOpen = operation.access === 'public' || operation.access === 'cookie';
    const attacks = places.flatMap((place) => {
      const attack = names[place];
      return isNaming(attack) ? [{ place, attack }] : [];
    });
    const { person, call } = await exampleCall(examples[id], a, operation.access);
    for (const { place, attack } of attacks) {
      const { sent, stolen } = attempt(call, { place, attack }, b);
      for (const [role, who] of Object.entries({ guest: await a.guest(), member: a.member, admin: a.admin })) {
        const { status, told } = await send(operation, stolen, who);
        const refusal = refusalOf(operation, role);
        const expected = refusal === undefined ? (attack.answers ?? [404]) : [refusal];
        expect({ role, place, isExpected: expected.includes(status), status }).toMatchObject({ isExpected: true });
        expectUntold(told, sent);
      }
    }
    const attempts = [{ sent: '', stolen: call }, ...attacks.map((attack) => attempt(call, attack, b))];
    for (const [role, who] of isOpen ? [] : Object.entries(strangers))
      for (const { sent, stolen } of attempts) {
        const { status, told } = await send(operation, stolen, who);
        expect([role, status]).toEqual([role, 401]);
        expectUntold(told, sent);
      }
    const own = await send(operation, call, operation.access === 'cookie' ? { cookie: person.cookie } : person);
    expect([id, own.status < 300 || own.status === refusedWith]).toEqual([id, true]);
    expectUntold(own.told, '');
    expect(await rows.of(b.orgId)).toEqual(before);
  });
}
