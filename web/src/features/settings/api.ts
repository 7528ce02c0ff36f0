import type { FitnessStatus } from '@caravan/contracts/http/fitness';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { complete } from '../../lib/complete.ts';
import { changeSettings, editProfile, readFitnessStatus } from '../../lib/api/generated/sdk.gen.ts';
import { meQuery } from '../../lib/me.ts';
import { applyPreferences, settingsQuery } from '../../lib/preferences.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { renameUser } from '../../lib/session-state.ts';
import type { SettingsFields } from './fields.ts';

const nothingConnected: FitnessStatus = {
  strava: { connected: false, athleteId: null },
  fitbit: { connected: false, userId: null },
  lastSyncDate: null,
};

export const fitnessStatusQuery = dataQuery(['/api/fitness/status'], async (options) =>
  complete(await readFitnessStatus(options), nothingConnected),
);

/** What shows a name, a bio or what somebody hides. */
const changed = ['/api/me', '/api/users', '/api/leaderboard', '/api/feed', '/api/dashboard/stats'];

/** Saves the whole settings object (7.31), and the time zone, which belongs to the profile. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, hasNewZone }: { fields: SettingsFields; hasNewZone: boolean }) => {
      const { timeZone, ...settings } = fields;
      await changeSettings({ body: settings });
      if (hasNewZone) await editProfile({ body: { timeZone } });
    },
    // What the answers hold the specification does not show: what was sent is what is saved.
    onSuccess: (_answer, { fields: { timeZone, ...settings } }) => {
      renameUser(settings.profile.name.trim(), settings.profile.email);
      queryClient.setQueryData(settingsQuery.queryKey, settings);
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, timeZone });
      applyPreferences(settings.preferences);
      for (const path of changed) void queryClient.invalidateQueries({ queryKey: [path] });
    },
  });
}
