import type { Settings } from '@caravan/contracts/http/people';
import { withOwnChanges } from '../../lib/latest.ts';

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

/** The settings object in a form. */
export function settingsOf({ profile, notifications, privacy, preferences, fitnessDevices }: SettingsFields): Settings {
  return { profile, notifications, privacy, preferences, fitnessDevices };
}

/**
 * The settings as they are stored now, which another page may have changed, with the changes of this form.
 * @param unanswered earlier states of the form whose save ended without an answer
 */
export function onLatest(
  saved: SettingsFields,
  fields: SettingsFields,
  now: Settings,
  unanswered: readonly SettingsFields[] = [],
): Settings {
  const mergePart = <Part extends 'profile' | 'notifications' | 'privacy' | 'preferences'>(
    part: Part,
  ): Settings[Part] =>
    withOwnChanges<Settings[Part]>(
      saved[part],
      fields[part],
      now[part],
      unanswered.map((earlier) => earlier[part]),
    );
  return {
    profile: mergePart('profile'),
    notifications: mergePart('notifications'),
    privacy: mergePart('privacy'),
    preferences: mergePart('preferences'),
    fitnessDevices: now.fitnessDevices,
  };
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
