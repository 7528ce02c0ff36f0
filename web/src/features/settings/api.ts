import type { Settings } from '@caravan/contracts/http/people';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeSettings, editProfile, readFitnessStatus } from '../../lib/api/generated/sdk.gen.ts';
import { meQuery } from '../../lib/me.ts';
import { applyPreferences, settingsQuery } from '../../lib/preferences.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { renameUser } from '../../lib/session-state.ts';
import type { SettingsFields } from './fields.ts';

export const fitnessStatusQuery = dataQuery(['/api/fitness/status'], readFitnessStatus);

/** What shows a name, a bio or what somebody hides. */
const changed = ['/api/me', '/api/users', '/api/leaderboard', '/api/feed', '/api/dashboard/stats'];

/** Saves the whole settings object (7.31), and the time zone, which belongs to the profile. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, hasNewZone }: { fields: SettingsFields; hasNewZone: boolean }): Promise<Settings> => {
      const { timeZone, ...settings } = fields;
      const saved = await changeSettings({ body: settings });
      if (hasNewZone) queryClient.setQueryData(meQuery.queryKey, await editProfile({ body: { timeZone } }));
      return saved;
    },
    onSuccess: (settings) => {
      renameUser(settings.profile.name, settings.profile.email);
      queryClient.setQueryData(settingsQuery.queryKey, settings);
      applyPreferences(settings.preferences);
      for (const path of changed) void queryClient.invalidateQueries({ queryKey: [path] });
    },
  });
}
