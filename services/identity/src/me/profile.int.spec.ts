import { meSchema } from '@caravan/contracts/http/accounts';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { claimsOf, foundOrganisation, protectedFields, recordedTypes } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const edit = (one: Visitor, body: unknown) => one.call('PATCH', '/api/me/profile', body);
const me = async (one: Visitor) => meSchema.strict().parse((await one.get('/api/me')).body);

describe('PATCH /api/me/profile', () => {
  test('[7.30 2.102 D39 S20] changes what is named, trimmed, and answers the person', async () => {
    const { admin: maya, orgId } = await foundOrganisation(identity);
    const live = await listenLive(identity.env, orgId);
    const before = await me(maya);
    const answer = await edit(maya, {
      name: '  Maya O. ',
      bio: ' Up early\nand out ',
      location: 'Lagos',
      favoriteActivity: 'Walking',
      timeZone: 'Africa/Lagos',
    });
    expect(answer.status).toBe(200);
    const after = { name: 'Maya O.', bio: 'Up early\nand out', location: 'Lagos', favoriteActivity: 'Walking' };
    expect(answer.body).toEqual({ ...before, ...after, timeZone: 'Africa/Lagos' });
    expect(await me(maya)).toEqual(answer.body);
    expect((await edit(maya, { location: '' })).body).toMatchObject({ ...after, location: '' });
    await expect.poll(() => [...live.kinds]).toEqual(expect.arrayContaining(['people', 'members']));
    await live.close();
  });

  test('[D39] is told to the other services when name or zone are new, and only then', async () => {
    const { admin: maya, orgId } = await foundOrganisation(identity, { timeZone: 'UTC' });
    const countEdits = async () =>
      (await recordedTypes(identity, orgId)).filter((type) => type === 'ProfileEdited').length;
    await edit(maya, {});
    await edit(maya, { name: 'Maya Okafor', timeZone: 'UTC' });
    await edit(maya, { bio: 'x', location: 'y', favoriteActivity: 'z' });
    expect(await countEdits()).toBe(0);
    await edit(maya, { timeZone: 'Europe/Berlin' });
    const { headers } = await edit(maya, { name: 'Maya O.' });
    expect(headers.get('x-event-position')).toMatch(/^identity:\d+@\d+$/);
    expect(await countEdits()).toBe(2);
  });

  test('[D1] the log holds nothing that was typed', async () => {
    const { admin: maya, orgId } = await foundOrganisation(identity);
    await edit(maya, { name: 'Canary', bio: 'Canary', location: 'Canary', favoriteActivity: 'Canary' });
    const log = await identity.rows('select data, meta from es.events where org_id = $1', [orgId]);
    expect(JSON.stringify(log)).not.toContain('Canary');
  });

  const tooLongBio = 'Bio must be at most 120 characters';
  test.each([
    [{ name: '' }, 'name', /./],
    [{ name: '   ' }, 'name', /./],
    [{ name: null }, 'name', /./],
    [{ name: 'x'.repeat(81) }, 'name', /80 characters/],
    [{ name: '\u200b\u200b' }, 'name', /./],
    [{ name: 'Maya\nOkafor' }, 'name', /Control/],
    [{ bio: 'x'.repeat(121) }, 'bio', tooLongBio],
    [{ bio: '🏔️'.repeat(121) }, 'bio', tooLongBio],
    [{ bio: 7 }, 'bio', /./],
    [{ bio: 'a\u0007' }, 'bio', /Control/],
    [{ location: 'x'.repeat(81) }, 'location', 'Location must be at most 80 characters'],
    [{ favoriteActivity: 'x'.repeat(61) }, 'favoriteActivity', 'Favorite activity must be at most 60 characters'],
    [{ timeZone: 'Mars/Base' }, 'timeZone', 'Unknown time zone'],
    [{ timeZone: '+01:23' }, 'timeZone', 'A time zone is a name such as Europe/Berlin, not an offset'],
    [{ name: 'Fine', bio: 'x'.repeat(121) }, 'bio', tooLongBio],
  ])('[5.25 D38 D39] %j is refused for its field, and nothing is written', async (body, path, message) => {
    const maya = await identity.signedIn();
    const before = await me(maya);
    const answer = await edit(maya, body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect(answer.body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(await me(maya)).toEqual(before);
  });

  test.each([
    ['eUrOpE/bErLiN', 'Europe/Berlin'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['US/Pacific', 'America/Los_Angeles'],
  ])('[D10 S24] a zone sent as %s is kept as %s', async (timeZone, kept) => {
    const maya = await identity.signedIn({ timeZone });
    expect((await me(maya))['timeZone']).toBe(kept);
    expect((await edit(maya, { timeZone: 'UTC' })).body['timeZone']).toBe('UTC');
    expect((await edit(maya, { timeZone })).body['timeZone']).toBe(kept);
  });

  test('[S35] a NUL is refused wherever it stands', async () => {
    const maya = await identity.signedIn();
    for (const field of ['name', 'bio', 'location', 'favoriteActivity', 'timeZone'])
      expect((await edit(maya, { [field]: 'a\u0000b' })).status).toBe(422);
  });

  test.each([
    ['emoji of 120 code points', '🔥'.repeat(120)],
    ['right to left', 'أمشي كل صباح'],
    ['HTML', '<script>alert(document.cookie)</script><img src=x onerror=alert(1)>'],
    ['SQL', "'; update memberships set role = 'admin'; --"],
    ['a formula', '=HYPERLINK("http://x")'],
  ])('[5.25 S35] a bio of %s stays what it is', async (_, bio) => {
    const maya = await identity.signedIn();
    expect((await edit(maya, { bio })).status).toBe(200);
    expect((await me(maya)).bio).toBe(bio);
  });

  test('[S19] protected fields change nothing, nor anybody else', async () => {
    const maya = await identity.signedIn();
    const other = await identity.signedIn();
    const before = { mine: await me(maya), others: await me(other) };
    const { sub } = claimsOf(other);
    const answer = await edit(maya, {
      ...protectedFields,
      id: sub,
      userId: sub,
      role: 'member',
      isActive: false,
      email: 'x@x.xx',
      teamId: sub,
      password: 'X',
      activityLevel: 'active',
      profilePhotoUrl: 'https://x.example/x.png',
      lastActivityDate: '2020-01-01',
    });
    expect(answer.status).toBe(200);
    expect({ mine: await me(maya), others: await me(other) }).toEqual(before);
  });

  test('[5.24] every field takes any text but a name takes none', async () => {
    const maya = await identity.signedIn();
    const fields = { bio: '', location: '¯\\_(ツ)_/¯', favoriteActivity: '\'"<>&%;--' };
    expect((await edit(maya, fields)).body).toMatchObject(fields);
  });

  test('[D38] two edits of different fields at once both stay', async () => {
    const maya = await identity.signedIn();
    await identity.warm();
    await Promise.all([
      edit(maya, { bio: 'b' }),
      edit(maya, { location: 'l' }),
      edit(maya, { favoriteActivity: 'f' }),
      edit(maya, { name: 'N' }),
    ]);
    expect(await me(maya)).toMatchObject({ bio: 'b', location: 'l', favoriteActivity: 'f', name: 'N' });
  });
});
