import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { resetPassword } from '../../lib/api/generated/sdk.gen.ts';
import type { ResetPasswordData } from '../../lib/api/generated/types.gen.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { endSession } from '../../lib/session-state.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useRules } from '../../lib/use-rules.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { PasswordField, StrengthMeter } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useForgotPassword } from './api.ts';
import styles from './recovery.module.css';

/** Asks for the address, then says that the mail is on its way (4.14). */
export function ForgotPassword() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  if (isSent) return <Sent email={email} onAgain={() => setSent(false)} />;
  return (
    <EmailForm
      email={email}
      onSent={(address) => {
        setEmail(address);
        setSent(true);
      }}
    />
  );
}

function EmailForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { t } = useLingui();
  const { emailRefusal } = useRules();
  const ask = useForgotPassword();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email } });
  const submit = handleSubmit((body) =>
    ask.mutate(body, {
      onSuccess: () => {
        toast({
          title: t`Reset link sent!`,
          description: t`Check your email for password reset instructions.`,
          tone: 'good',
        });
        onSent(body.email.trim());
      },
      onError: (error) =>
        toast({ title: t`Error`, description: serverMessage(error, t`Failed to send reset email`), tone: 'error' }),
    }),
  );
  return (
    <NarrowCard title={t`Forgot your password?`} lead={t`We mail you a link with which you set a new one.`}>
      <form className={styles.stack} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t`Email`}
          type="email"
          autoComplete="username"
          error={formState.errors.email?.message}
          {...register('email', { validate: emailRefusal })}
        />
        <Button type="submit" isWide isBusy={ask.isPending}>{t`Send Reset Link`}</Button>
        <Button asChild variant="plain" size="small">
          <Link to="/login">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back to Sign In`}
          </Link>
        </Button>
      </form>
    </NarrowCard>
  );
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { t } = useLingui();
  useEffect(() => document.querySelector('h1')?.focus(), []);
  return (
    <NarrowCard
      title={t`Check your email!`}
      lead={
        <Trans>
          If there is an account for <b className={styles.address}>{email}</b>, the link is on its way. It works for 30
          minutes.
        </Trans>
      }
    >
      <div className={styles.stack}>
        <Button asChild isWide>
          <Link to="/login">{t`Back to Sign In`}</Link>
        </Button>
        <button type="button" className={styles.link} onClick={onAgain}>
          {t`Didn't receive the email? Try again`}
        </button>
      </div>
    </NarrowCard>
  );
}

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

const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordData['body']) => resetPassword({ body }),
    // A new password ends every session of the account at the server.
    onSuccess: endSession,
  });
