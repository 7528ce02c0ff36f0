import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChange, changeOfProfile, changeOfSettings, type OwnAccount, settingsOf } from './own-account.ts';

const maya: OwnAccount = {
  name: 'Maya Okafor',
  email: 'maya@caravan.example',
  phone: '',
  bio: 'Up early',
  location: 'Lagos',
  favoriteActivity: 'Walking',
  timeZone: 'Africa/Lagos',
  theme: 'system',
  units: 'imperial',
  notifyByEmail: true,
  notifyByPush: true,
  notifyOfTeam: true,
  notifyWeekly: true,
};
const privacy = {
  profileVisible: true,
  activityVisible: true,
  statsVisible: true,
  shareHeartRate: false,
  shareCalories: false,
  featuredInRecaps: false,
};
const themeAfter = (theme: OwnAccount['theme'], preferences: object) =>
  applyChange({ ...maya, theme }, changeOfSettings({ preferences })({ ...maya, theme })).after.theme;

describe('a change of the own account', () => {
  test('[7.30] keeps what is absent and names what is new', () => {
    const { after, changedFields } = applyChange(maya, changeOfProfile({ bio: 'Up late', location: 'Lagos' })(maya));
    expect(after).toEqual({ ...maya, bio: 'Up late' });
    expect([...changedFields]).toEqual(['bio']);
  });

  test('[7.31] reaches every field of the settings, and only those', () => {
    const { after, changedFields } = applyChange(
      maya,
      changeOfSettings({
        profile: { name: 'M', email: 'Maya@Caravan.Example', phone: '1', bio: null },
        notifications: { email: false, push: false, teamUpdates: false, weeklyReports: false },
        preferences: { darkMode: true, units: 'metric' },
      })(maya),
    );
    expect(changedFields.size).toBe(10);
    expect(after).toMatchObject({ location: maya.location, timeZone: maya.timeZone, bio: '' });
    expect(settingsOf(after, privacy)).toMatchObject({
      profile: { name: 'M', email: 'Maya@Caravan.Example', phone: '1', bio: '' },
      notifications: { email: false, push: false, teamUpdates: false, weeklyReports: false },
      preferences: { darkMode: true, theme: 'dark', units: 'metric' },
    });
  });

  test('[D54] another address is no change of the account: its link has to be opened first', () => {
    const { after, changedFields } = applyChange(maya, changeOfSettings({ profile: { email: 'm@m.example' } })(maya));
    expect(changedFields.size).toBe(0);
    expect(after.email).toBe(maya.email);
  });

  test('[7.31] that sends back what was read changes nothing', () => {
    const anyone = fc.record({
      theme: fc.constantFrom('system' as const, 'light' as const, 'dark' as const),
      notifyByPush: fc.boolean(),
    });
    fc.assert(
      fc.property(anyone, (fields) => {
        const account = { ...maya, ...fields };
        const read = settingsOf(account, privacy);
        expect(applyChange(account, changeOfSettings(read)(account)).changedFields.size).toBe(0);
      }),
    );
  });
});

describe('the theme', () => {
  test.each([
    ['system', { darkMode: true }, 'dark'],
    ['system', { darkMode: false }, 'system'],
    ['dark', { darkMode: false }, 'light'],
    ['light', { darkMode: false }, 'light'],
    ['dark', { darkMode: true, theme: 'light' }, 'light'],
    ['dark', { theme: 'system' }, 'system'],
    ['dark', {}, 'dark'],
  ] as const)('[3.46] of %s and %j is %s', (before, preferences, after) => {
    expect(themeAfter(before, preferences)).toBe(after);
  });
});
