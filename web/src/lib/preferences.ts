import type { Settings } from '@caravan/contracts/http/people';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSettings } from './api/generated/sdk.gen.ts';
import { complete } from './complete.ts';
import { dataQuery } from './query-client.ts';
import { useSession } from './session-state.ts';
import { chooseTheme } from './theme.ts';
import { chooseUnits } from './units.ts';

const device = { connected: false, lastSync: null };
const usual: Settings = {
  profile: { name: '', email: '', phone: '', bio: '' },
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
};

function settingsOf(answer: Partial<Settings>): Settings {
  const { profile, preferences, ...rest } = complete(answer, usual);
  // The specification knows `darkMode` only (3.46); `theme` is D51.
  const theme = preferences.darkMode ? 'dark' : 'system';
  return {
    ...rest,
    profile: complete(profile, usual.profile),
    preferences: complete<Settings['preferences']>(preferences, { ...usual.preferences, theme }),
  };
}

export const settingsQuery = dataQuery(['/api/me/settings'], async (options) =>
  settingsOf(await readSettings(options)),
);

/** Theme and units travel with the account: what was saved on another device holds here from the next start. */
export function useAccountPreferences(): void {
  const isSignedIn = useSession().status === 'signed-in';
  const { data } = useQuery({ ...settingsQuery, enabled: isSignedIn });
  const preferences = data?.preferences;
  useEffect(() => {
    if (preferences) applyPreferences(preferences);
  }, [preferences]);
}

export function applyPreferences({ theme, units }: Settings['preferences']): void {
  chooseTheme(theme);
  chooseUnits(units);
}
