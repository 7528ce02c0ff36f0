import type { Settings } from '@caravan/contracts/http/people';

/** What the form holds: the settings object, whose devices are read only (D24), and the time zone. */
export type SettingsFields = Settings & {
  timeZone: string;
  /** Asked for when the address is another one. */
  currentPassword: string;
};

export function fieldsOf(settings: Settings, timeZone: string): SettingsFields {
  const { profile, notifications, privacy, preferences, fitnessDevices } = settings;
  return { profile, notifications, privacy, preferences, fitnessDevices, timeZone, currentPassword: '' };
}

const places = [
  'profile.name',
  'profile.email',
  'profile.phone',
  'profile.bio',
  'timeZone',
  'currentPassword',
  'preferences.theme',
  'preferences.units',
] as const;

/** The form's field at a path of the server's answer; undefined where the form has none. */
export const fieldAt = (path: string): (typeof places)[number] | undefined => places.find((place) => place === path);

/** One address, however it is written, is one account (D39). */
export const isSameAddress = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** Every zone the browser knows, and the chosen one in any case. */
export const timeZonesWith = (chosen: string): { value: string; label: string }[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])]
    .toSorted()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
