import { isSameAddress } from '@caravan/contracts/domain/text/email-address';
import { useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { FormProvider, useForm, type UseFormReturn } from 'react-hook-form';
import { fieldRefusals, HttpError, serverMessage } from '../../lib/http-error.ts';
import { currentSession } from '../../lib/session-state.ts';
import { currentTheme, showTheme } from '../../lib/theme.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Stack } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useSaveSettings } from './api.ts';
import { fieldAt, type SettingsFields } from './fields.ts';
import { NotificationsSection, PreferencesSection, PrivacySection } from './preferences-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import styles from './settings.module.css';

const taken = 409;
/** Everything, what was changed too. */
const whole = { keepDirtyValues: false };

/** All that is saved together by Save Changes. */
export function SettingsForm({
  saved,
  picture,
  belowEmail,
  devices,
}: {
  saved: SettingsFields;
  picture: ReactNode;
  belowEmail: ReactNode;
  devices: ReactNode;
}) {
  const { t } = useLingui();
  const save = useSaveSettings();
  // What another page of one's own saved arrives here, but never over what one is about to change.
  const form = useForm<SettingsFields>({ values: saved, resetOptions: { keepDirtyValues: true } });
  const { isDirty, dirtyFields } = form.formState;
  useThemePreview(form);
  const ownEmail = saved.profile.email;
  const submit = form.handleSubmit((fields) =>
    save.mutate(
      { fields, saved, hasNewZone: dirtyFields.timeZone === true, ownEmail },
      {
        onSuccess: () => {
          const wanted = fields.profile.email.trim();
          const isMoving = !isSameAddress(wanted, ownEmail);
          // Another address is not one's own before its link was opened.
          const profile = isMoving ? { ...fields.profile, email: ownEmail } : fields.profile;
          form.reset({ ...fields, profile, currentPassword: '' }, whole);
          toast({
            title: t`Settings Updated`,
            tone: 'good',
            ...(isMoving && { description: t`Open the link that was mailed to ${wanted} to use that address.` }),
          });
        },
        onError: (error) => {
          showRefusals(form, error);
          toast({ title: t`Error`, description: t`Failed to update settings. Please try again.`, tone: 'error' });
        },
      },
    ),
  );
  return (
    <FormProvider {...form}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <ProfileSection ownEmail={ownEmail} picture={picture} belowEmail={belowEmail} />
          <NotificationsSection />
          <PrivacySection />
          {devices}
          <PreferencesSection />
          <SaveBar isDirty={isDirty} isBusy={save.isPending} onUndo={() => form.reset(saved, whole)} />
        </Stack>
      </form>
      <LeaveDialog isOn={isDirty && !save.isPending} />
    </FormProvider>
  );
}

/** What the server refused stands at its field, and the first such field has the focus. */
function showRefusals({ setError }: UseFormReturn<SettingsFields>, error: unknown): void {
  const refusals = fieldRefusals(error).flatMap(({ path, message }) => {
    const field = fieldAt(path);
    return field ? [{ field, message }] : [];
  });
  if (error instanceof HttpError && error.status === taken)
    refusals.push({ field: 'profile.email', message: serverMessage(error, error.message) });
  for (const [index, { field, message }] of refusals.entries())
    setError(field, { message }, { shouldFocus: index === 0 });
}

/** A theme shows as soon as it is chosen; what is not saved is gone when one leaves. */
function useThemePreview({ watch }: UseFormReturn<SettingsFields>): void {
  const theme = watch('preferences.theme');
  useEffect(() => {
    showTheme(theme);
    return () => showTheme(currentTheme());
  }, [theme]);
}

/** Save Changes; in reach wherever one is in the form as long as something is not saved. */
function SaveBar({ isDirty, isBusy, onUndo }: { isDirty: boolean; isBusy: boolean; onUndo: () => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.bar} data-dirty={isDirty}>
      {isDirty && !isBusy && (
        <Button variant="quiet" onClick={onUndo}>
          {t`Undo`}
        </Button>
      )}
      <Button type="submit" disabled={!isDirty} isBusy={isBusy}>{t`Save Changes`}</Button>
    </div>
  );
}

/** Asks before changes are lost; whoever signs out is not asked. */
function LeaveDialog({ isOn }: { isOn: boolean }) {
  const { t } = useLingui();
  const isAtStake = () => isOn && currentSession().status === 'signed-in';
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isAtStake(),
    enableBeforeUnload: isAtStake,
    withResolver: true,
  });
  return (
    <Dialog
      title={t`Leave without saving?`}
      description={t`What you changed here is not saved yet.`}
      isOpen={status === 'blocked'}
      onOpenChange={(isOpen) => !isOpen && reset?.()}
    >
      <div className={styles.actions}>
        <Button variant="quiet" onClick={() => proceed?.()}>{t`Leave`}</Button>
        <Button onClick={() => reset?.()}>{t`Stay`}</Button>
      </div>
    </Dialog>
  );
}
