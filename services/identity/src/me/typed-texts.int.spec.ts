import { randomUUID } from '@caravan/contracts/testing/seeded';
import { textCorpus } from '@caravan/contracts/testing/text-corpus';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { foundOrganisation } from '../../testing/organisations.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000', LIMIT_WRITES_FACTOR: '100' });
});
afterAll(() => identity.close());

describe('[D39] what people type is judged by one rule over HTTP:', () => {
  test('a name of a person', async () => {
    const { admin } = await foundOrganisation(identity);
    for (const { name, typed, becomes } of textCorpus) {
      const { status, body } = await admin.call('PATCH', '/api/me/profile', { name: typed });
      expect([name, status === 200 ? body['name'] : 'refused', status === 200 ? 200 : 422]).toEqual([
        name,
        becomes,
        status,
      ]);
    }
  });

  test('a name of a team', async () => {
    const { admin } = await foundOrganisation(identity);
    for (const { name, typed, becomes } of textCorpus) {
      const { status, body } = await admin.post('/api/teams', { name: typed, emoji: '🦊' });
      expect([name, status === 201 ? body['name'] : 'refused', status === 201 ? 201 : 422]).toEqual([
        name,
        becomes,
        status,
      ]);
    }
  });

  test('a bio has as many emojis as letters', async () => {
    const { admin } = await foundOrganisation(identity);
    const edit = (bio: string) => admin.call('PATCH', '/api/me/profile', { bio });
    expect((await edit('👨‍👩‍👧‍👦'.repeat(120))).status).toBe(200);
    expect((await edit('👨‍👩‍👧‍👦'.repeat(121))).status).toBe(422);
  });
});

describe('[D2] a team name is taken', () => {
  test.each([
    ['with another apostrophe', 'Zoë’s Foxes', "zoë's foxes"],
    ['with another space', 'Night\u00a0Owls', 'night owls'],
    ['in decomposed letters', 'Zoë', 'ZOE\u0308'],
    ['with characters that are not seen', 'Otters', 'Ot\u200bters'],
    ['with a sharp s', 'Straße', 'STRASSE'],
  ])('%s', async (_, name, other) => {
    const { admin } = await foundOrganisation(identity);
    expect((await admin.post('/api/teams', { name, emoji: '🦊' })).status).toBe(201);
    expect(await admin.post('/api/teams', { name: other, emoji: '🦊' })).toMatchObject({
      status: 422,
      body: { message: 'There is already a team of this name' },
    });
  });
});

describe('[5.2 D39] an address at an international domain', () => {
  test('signs up, signs in and is found in either form; it is stored in ASCII', async () => {
    const { admin } = await foundOrganisation(identity);
    const local = `r&d-${randomUUID()}`;
    expect((await identity.visitor().signUp({ email: `${local}@Почта.рф` })).status).toBe(200);
    for (const domain of ['почта.рф', 'xn--80a1acny.xn--p1ai', 'ПОЧТА.РФ']) {
      const { status, body } = await identity.visitor().login(`${local}@${domain}`);
      expect([status, body['user']]).toEqual([
        200,
        expect.objectContaining({ email: `${local}@xn--80a1acny.xn--p1ai` }),
      ]);
      expect((await identity.visitor().signUp({ email: `${local}@${domain}` })).status).toBe(409);
    }
    expect((await admin.call('PATCH', '/api/me/profile', { name: 'Łukasz O’Neill' })).status).toBe(200);
    for (const q of ['lukasz', "o'neill", 'ŁUKASZ  O’'])
      expect([q, (await admin.get(`/api/members?q=${encodeURIComponent(q)}`)).body]).toEqual([
        q,
        [expect.objectContaining({ name: 'Łukasz O’Neill' })],
      ]);
  });
});
