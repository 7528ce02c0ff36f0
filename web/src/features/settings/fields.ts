import type { Settings } from '@caravan/contracts/http/people';

/** What the form holds: the settings object without what is read only, and the time zone. */
export type SettingsFields = Omit<Settings, 'fitnessDevices'> & { timeZone: string };

export function fieldsOf({ profile, notifications, privacy, preferences }: Settings, timeZone: string): SettingsFields {
  return { profile, notifications, privacy, preferences, timeZone };
}

const places = [
  'profile.name',
  'profile.email',
  'profile.phone',
  'profile.bio',
  'timeZone',
  'preferences.theme',
  'preferences.units',
] as const;

/** The form's field at a path of the server's answer; undefined where the form has none. */
export const fieldAt = (path: string): (typeof places)[number] | undefined => places.find((place) => place === path);
