import { isSameAddress } from '@caravan/contracts/domain/text/email-address';
import type { Settings } from '@caravan/contracts/http/people';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { changeSettings, editProfile, readSettings } from '../../lib/api/generated/sdk.gen.ts';
import { isUnanswered, saveOnLatest } from '../../lib/latest.ts';
import { meQuery } from '../../lib/me.ts';
import { applyPreferences, settingsQuery } from '../../lib/preferences.ts';
import { refresh, type ReadPath } from '../../lib/query-keys.ts';
import { renameUser } from '../../lib/session-state.ts';
import { onLatest, type SettingsFields, settingsOf } from './fields.ts';

/** What shows a name, a bio or what somebody hides. */
const changed: readonly ReadPath[] = ['/api/me', '/api/users', '/api/leaderboard', '/api/feed', '/api/dashboard/stats'];

type Saving = {
  fields: SettingsFields;
  /** The settings that the form was filled in from. */
  saved: SettingsFields;
  hasNewZone: boolean;
  ownEmail: string;
};

/** Saves the whole settings object (7.31), and the time zone, which belongs to the profile. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  const unanswered = useRef<SettingsFields[]>([]);
  return useMutation({
    mutationFn: async ({ fields, saved, hasNewZone }: Saving) => {
      const { timeZone, currentPassword } = fields;
      const password = currentPassword !== '' && { currentPassword };
      await saveOnLatest(
        settingsOf(saved),
        readSettings,
        (now) => onLatest(saved, fields, now, unanswered.current),
        (settings, headers) => changeSettings({ body: { ...settings, ...password }, headers }),
      );
      if (hasNewZone) await editProfile({ body: { timeZone } });
    },
    onError: (error, { fields }) => {
      if (isUnanswered(error)) unanswered.current.push(fields);
    },
    // What the answers hold the specification does not show: what was sent is what is saved. Another address is not one's
    // own before its link was opened (D54).
    onSuccess: (_answer, { fields: { timeZone, currentPassword: _, ...settings }, ownEmail }) => {
      unanswered.current = [];
      const email = isSameAddress(settings.profile.email, ownEmail) ? settings.profile.email : ownEmail;
      const saved: Settings = { ...settings, profile: { ...settings.profile, email } };
      renameUser(saved.profile.name.trim(), email);
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, timeZone });
      applyPreferences(settings.preferences);
      void refresh(queryClient, changed);
    },
  });
}
