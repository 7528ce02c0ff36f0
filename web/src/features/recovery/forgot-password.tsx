import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { serverMessage } from '../../lib/http-error.ts';
import { useRules } from '../../lib/use-rules.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
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
