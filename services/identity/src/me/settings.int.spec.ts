import { settingsSchema } from '@caravan/contracts/http/people';
import { versionOf } from '@caravan/contracts/domain/version';
import { type MailServer, startMailServer } from '@caravan/service-kit/testing/mail-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { mailTo } from '../../testing/mail.ts';
import { foundOrganisation, protectedFields, recordedTypes } from '../../testing/organisations.ts';
import { newEmail, password, type Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000', SMTP_URL: server.url });
});
afterAll(async () => {
  await identity.close();
  await server.close();
});

const change = (one: Visitor, body: unknown) => one.call('PATCH', '/api/me/settings', body);
const settings = async (one: Visitor) => settingsSchema.strict().parse((await one.get('/api/me/settings')).body);
const moveTo = (one: Visitor, email: string) => change(one, { profile: { email }, currentPassword: password });

describe('settings', () => {
  test('[3.46 D39 D18 S20] begin with what everybody begins with', async () => {
    const email = newEmail();
    const maya = await identity.signedIn({ email });
    const device = { connected: false, lastSync: null };
    expect(await settings(maya)).toEqual({
      profile: { name: 'Maya Okafor', email, phone: '', bio: '' },
      notifications: { email: true, push: true, teamUpdates: true, weeklyReports: true },
      privacy: {
        profileVisible: true,
        activityVisible: true,
        statsVisible: true,
        shareHeartRate: false,
        shareCalories: false,
        featuredInRecaps: false,
      },
      preferences: { darkMode: false, theme: 'system', units: 'imperial' },
      fitnessDevices: { appleWatch: device, googleFit: device, strava: device },
    });
  });

  test('[7.31 D38] are saved on those that the member has seen, and not on others', async () => {
    const maya = await identity.signedIn();
    const seenVersion = async () => ({ 'if-match': `"${versionOf((await maya.get('/api/me/settings')).body)}"` });
    const before = await seenVersion();
    const save = (bio: string, headers: Record<string, string>) =>
      maya.call('PATCH', '/api/me/settings', { profile: { bio } }, headers);
    expect((await save('Up early', before)).status).toBe(200);
    expect((await save('Up late', before)).status).toBe(412);
    expect((await settings(maya)).profile.bio).toBe('Up early');
    expect((await save('Up late', await seenVersion())).status).toBe(200);
  });

  test('[7.31 D24 D39] are saved whole as the screen sends them, devices apart', async () => {
    const maya = await identity.signedIn();
    const read = await settings(maya);
    const wanted = {
      profile: { ...read.profile, name: 'Maya O.', phone: '+49 30 1234', bio: 'Up early' },
      notifications: { email: false, push: false, teamUpdates: false, weeklyReports: false },
      privacy: {
        profileVisible: false,
        activityVisible: false,
        statsVisible: false,
        shareHeartRate: true,
        shareCalories: true,
        featuredInRecaps: true,
      },
      preferences: { darkMode: true, theme: 'dark' as const, units: 'metric' as const },
    };
    const devices = { strava: { connected: true, lastSync: '2026-01-01T00:00:00Z' } };
    const { status, body } = await change(maya, { ...wanted, fitnessDevices: devices });
    expect(status).toBe(200);
    expect(body).toEqual({ ...wanted, fitnessDevices: read.fitnessDevices });
    expect(await settings(maya)).toEqual(body);
    expect((await maya.get('/api/me')).body).toMatchObject({ name: 'Maya O.', bio: 'Up early' });
  });

  test('[7.31 5.23] keep what is not named; phone and bio are optional, null empties them', async () => {
    const maya = await identity.signedIn();
    await change(maya, { profile: { phone: '1', bio: 'b' }, privacy: { statsVisible: false } });
    await change(maya, { privacy: { shareCalories: true }, preferences: { units: 'metric' } });
    await change(maya, { notifications: { push: false } });
    expect(await settings(maya)).toMatchObject({
      profile: { phone: '1', bio: 'b' },
      notifications: { email: true, push: false },
      privacy: { profileVisible: true, statsVisible: false, shareCalories: true },
      preferences: { units: 'metric', theme: 'system' },
    });
    await change(maya, { profile: { phone: null, bio: null } });
    expect((await settings(maya)).profile).toMatchObject({ phone: '', bio: '' });
  });

  test('[D18] are told to the other services when privacy or name are new, and only then', async () => {
    const { admin: maya, orgId } = await foundOrganisation(identity);
    const publishedTypes = async () => (await recordedTypes(identity, orgId)).slice(4);
    await change(maya, await settings(maya));
    await change(maya, { notifications: { email: false }, preferences: { darkMode: true }, profile: { phone: '1' } });
    expect(await publishedTypes()).toEqual([]);
    await change(maya, { privacy: { statsVisible: false, profileVisible: true } });
    await change(maya, { privacy: { statsVisible: false } });
    expect(await publishedTypes()).toEqual(['PrivacyChosen']);
    await change(maya, { profile: { name: 'Maya O.' }, privacy: { statsVisible: true } });
    expect(await publishedTypes()).toEqual(['PrivacyChosen', 'ProfileEdited', 'PrivacyChosen']);
  });

  test.each([
    [{ profile: { name: ' ' } }, 'profile.name'],
    [{ profile: { name: null } }, 'profile.name'],
    [{ profile: { bio: 'x'.repeat(121) } }, 'profile.bio'],
    [{ profile: { phone: 'x'.repeat(41) } }, 'profile.phone'],
    [{ profile: { email: 'nobody' } }, 'profile.email'],
    [{ profile: { email: '' } }, 'profile.email'],
    [{ profile: { email: null } }, 'profile.email'],
    [{ profile: 'x' }, 'profile'],
    [{ notifications: { email: 'yes' } }, 'notifications.email'],
    [{ privacy: { statsVisible: null } }, 'privacy.statsVisible'],
    [{ privacy: { shareHeartRate: 1 } }, 'privacy.shareHeartRate'],
    [{ preferences: { units: 'leagues' } }, 'preferences.units'],
    [{ preferences: { theme: 'pink' } }, 'preferences.theme'],
    [{ preferences: { darkMode: 'on' } }, 'preferences.darkMode'],
    [{ profile: { name: 'Fine' }, privacy: { statsVisible: 'no' } }, 'privacy.statsVisible'],
  ])('[5.23 D38] %j is refused for its field, and nothing is written', async (body, path) => {
    const maya = await identity.signedIn();
    const before = await settings(maya);
    expect(await change(maya, body)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect(await settings(maya)).toEqual(before);
  });

  test('[S19] protected fields change nothing', async () => {
    const maya = await identity.signedIn();
    const before = await settings(maya);
    const me = (await maya.get('/api/me')).body;
    const inside = { ...protectedFields, role: 'member', isActive: false, teamId: protectedFields.id };
    const { status } = await change(maya, { ...inside, profile: inside, privacy: inside, preferences: inside });
    expect(status).toBe(200);
    expect(await settings(maya)).toEqual(before);
    expect((await maya.get('/api/me')).body).toEqual(me);
  });
});

describe('another address', () => {
  test('[D39] that somebody has, in any case and any organisation, is refused without saying whose', async () => {
    const taken = newEmail();
    const own = newEmail();
    await identity.signedIn({ email: taken });
    const maya = await identity.signedIn({ email: own });
    for (const email of [taken, taken.toUpperCase()]) {
      expect(await change(maya, { profile: { email, name: 'Other' }, currentPassword: password })).toMatchObject({
        status: 409,
        body: { code: 'email/address-taken', message: 'This email address cannot be used.' },
      });
    }
    expect((await settings(maya)).profile).toMatchObject({ email: own, name: 'Maya Okafor' });
    expect((await identity.visitor().login(own)).status).toBe(200);
  });

  test('[D39] that differs in case only is nobody’s news', async () => {
    const email = newEmail();
    const maya = await identity.signedIn({ email });
    expect((await moveTo(maya, email.toUpperCase())).body['profile']).toMatchObject({ email: email.toUpperCase() });
    expect((await identity.visitor().login(email)).status).toBe(200);
    expect(await identity.rows('select from mails where recipient = $1', [email])).toEqual([]);
    await mailTo(server, email, 'Confirm');
    expect(server.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
  });

  test('[S25] is tried ten times in a quarter of an hour; what else is saved does not count', async () => {
    const taken = newEmail();
    await identity.signedIn({ email: taken });
    const maya = await identity.signedIn();
    for (let nth = 0; nth < 10; nth += 1) expect((await moveTo(maya, taken)).status).toBe(409);
    const refused = await moveTo(maya, taken);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await change(maya, await settings(maya))).status).toBe(200);
  });

  test('[S25] is mailed to three times an hour, whatever the address', async () => {
    const maya = await identity.signedIn();
    for (const sent of [200, 200, 429]) expect((await moveTo(maya, newEmail())).status).toBe(sent);
  });
});
