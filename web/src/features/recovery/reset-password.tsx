import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { serverMessage } from '../../lib/http-error.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useRules } from '../../lib/use-rules.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { PasswordField, StrengthMeter } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useResetPassword } from './api.ts';
import styles from './recovery.module.css';

/** Sets a new password with the token of a mailed link, which leaves the address bar at once (2.51, 4.15). */
export function ResetPassword({ token }: { token: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [kept] = useState(token.trim());
  const [isDone, setDone] = useState(false);
  useOnce(() => {
    if (kept !== '') return void navigate({ to: '/reset-password', search: {}, replace: true });
    toast({
      title: t`Invalid Reset Link`,
      description: t`No reset token found. Please request a new password reset.`,
      tone: 'error',
    });
    void navigate({ to: '/forgot-password', replace: true });
  });
  if (kept === '') return null;
  return isDone ? <Done /> : <PasswordForm token={kept} onDone={() => setDone(true)} />;
}

function PasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useLingui();
  const { newPasswordRefusal } = useRules();
  const reset = useResetPassword();
  const { register, handleSubmit, watch, formState } = useForm({ defaultValues: { password: '' } });
  const submit = handleSubmit(({ password }) =>
    reset.mutate(
      { token, password },
      {
        onSuccess: () => {
          toast({
            title: t`Password Reset Successful!`,
            description: t`Your password has been updated successfully.`,
            tone: 'good',
          });
          onDone();
        },
        onError: (error) =>
          toast({
            title: t`Reset Failed`,
            description: serverMessage(error, t`Failed to reset password. The link may be expired.`),
            tone: 'error',
          }),
      },
    ),
  );
  return (
    <NarrowCard title={t`Set a new password`} lead={t`Every device that is signed in will ask for the new one.`}>
      <form className={styles.stack} onSubmit={(event) => void submit(event)} noValidate>
        <PasswordField
          label={t`New password`}
          autoComplete="new-password"
          error={formState.errors.password?.message}
          {...register('password', { validate: newPasswordRefusal })}
        />
        <StrengthMeter password={watch('password')} />
        <Button type="submit" isWide isBusy={reset.isPending}>{t`Update Password`}</Button>
        <Link to="/forgot-password" className={styles.link}>{t`Request a new link`}</Link>
      </form>
    </NarrowCard>
  );
}

function Done() {
  const { t } = useLingui();
  useEffect(() => document.querySelector('h1')?.focus(), []);
  return (
    <NarrowCard title={t`Password Updated!`} lead={t`Use the new one from now on, on every device.`}>
      <Button asChild isWide>
        <Link to="/login">{t`Sign In Now`}</Link>
      </Button>
    </NarrowCard>
  );
}
