import { isSameAddress } from '@caravan/contracts/domain/text/email-address';
import type { ProfileRequest, Settings, SettingsRequest } from '@caravan/contracts/http/people';

export type OwnAccount = {
  readonly name: string;
  /** As it is written; which address it is changes by a mailed link alone. */
  readonly email: string;
  readonly phone: string;
  readonly bio: string;
  readonly location: string;
  readonly favoriteActivity: string;
  readonly timeZone: string;
  readonly theme: Settings['preferences']['theme'];
  readonly units: Settings['preferences']['units'];
  readonly notifyByEmail: boolean;
  readonly notifyByPush: boolean;
  readonly notifyOfTeam: boolean;
  readonly notifyWeekly: boolean;
};
export type AccountChange = { readonly [Key in keyof OwnAccount]?: OwnAccount[Key] | undefined };

export function applyChange(
  before: OwnAccount,
  change: AccountChange,
): { after: OwnAccount; changedFields: ReadonlySet<keyof OwnAccount> } {
  const wished = Object.entries(change).filter(([, value]) => value !== undefined);
  const after: OwnAccount = { ...before, ...Object.fromEntries(wished) };
  const keys = Object.keys(before) as (keyof OwnAccount)[];
  return { after, changedFields: new Set(keys.filter((key) => after[key] !== before[key])) };
}

export function changeOfProfile({
  name,
  bio,
  location,
  favoriteActivity,
  timeZone,
}: ProfileRequest): (before: OwnAccount) => AccountChange {
  return () => ({ name, bio, location, favoriteActivity, timeZone });
}

/** Null empties a field. `theme` goes before `darkMode`, which says the same for clients that know two. */
export function changeOfSettings({
  profile,
  notifications,
  preferences,
}: SettingsRequest): (before: OwnAccount) => AccountChange {
  return ({ theme, email }) => ({
    name: profile?.name,
    // Another address is not a change of the account before its link was opened.
    email: profile?.email !== undefined && isSameAddress(profile.email, email) ? profile.email : undefined,
    phone: profile?.phone === null ? '' : profile?.phone,
    bio: profile?.bio === null ? '' : profile?.bio,
    theme: preferences?.theme ?? themeOf(preferences?.darkMode, theme),
    units: preferences?.units,
    notifyByEmail: notifications?.email,
    notifyByPush: notifications?.push,
    notifyOfTeam: notifications?.teamUpdates,
    notifyWeekly: notifications?.weeklyReports,
  });
}

function themeOf(darkMode: boolean | undefined, before: OwnAccount['theme']): OwnAccount['theme'] | undefined {
  if (darkMode === undefined) return undefined;
  if (darkMode) return 'dark';
  return before === 'dark' ? 'light' : before;
}

const notConnected = { connected: false, lastSync: null };

/** The settings object (3.46). */
export function settingsOf(account: OwnAccount, privacy: Settings['privacy']): Settings {
  const { name, email, phone, bio, theme, units } = account;
  return {
    profile: { name, email, phone, bio },
    notifications: {
      email: account.notifyByEmail,
      push: account.notifyByPush,
      teamUpdates: account.notifyOfTeam,
      weeklyReports: account.notifyWeekly,
    },
    privacy,
    preferences: { darkMode: theme === 'dark', theme, units },
    // What is connected is known to another service and told by `GET /api/fitness/status` (D24).
    fitnessDevices: { appleWatch: notConnected, googleFit: notConnected, strava: notConnected },
  };
}
