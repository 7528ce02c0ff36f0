import type { Settings } from '@caravan/contracts/http/people';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSettings } from './api/generated/sdk.gen.ts';
import { dataQuery } from './query-client.ts';
import { useSession } from './session-state.ts';
import { chooseTheme } from './theme.ts';
import { chooseUnits } from './units.ts';

export const settingsQuery = dataQuery(['/api/me/settings'], readSettings);

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
