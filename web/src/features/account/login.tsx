import type { LoginRequest } from '@caravan/contracts/http/accounts';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Mail } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { AccountCard } from './account-card.tsx';
import styles from './account.module.css';
import { useLogIn } from './api.ts';
import { PasswordField } from './password-field.tsx';
import { SocialButtons } from './providers.tsx';
import { useRules } from './use-rules.ts';

export function Login() {
  const { t } = useLingui();
  const [isByEmail, setByEmail] = useState(false);
  return (
    <AccountCard title={t`Welcome back`} lead={t`Your team is already on its way.`}>
      {isByEmail ? <EmailForm onBack={() => setByEmail(false)} /> : <Ways onEmail={() => setByEmail(true)} />}
      <p className={styles.other}>
        <Trans>
          Don't have an account? <Link to="/signup">Create one</Link>
        </Trans>
      </p>
    </AccountCard>
  );
}

function Ways({ onEmail }: { onEmail: () => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.stack}>
      <SocialButtons />
      <Button isWide onClick={onEmail}>
        <Mail size={20} aria-hidden="true" />
        {t`Continue with Email`}
      </Button>
    </div>
  );
}

function EmailForm({ onBack }: { onBack: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const logIn = useLogIn();
  const { emailRefusal } = useRules();
  const { register, handleSubmit, formState } = useForm<LoginRequest>({
    defaultValues: { email: '', password: '' },
  });
  const submit = handleSubmit((body) =>
    logIn.mutate(body, {
      onSuccess: () => {
        toast({ title: t`Welcome back!`, description: t`You have successfully logged in.`, tone: 'good' });
        void navigate({ to: '/dashboard' });
      },
      onError: (error) =>
        toast({ title: t`Login failed`, description: serverMessage(error, t`Invalid credentials`), tone: 'error' }),
    }),
  );
  return (
    <form className={styles.stack} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="username"
        // The form opens because one asked for it: this is where one goes on.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        error={formState.errors.email?.message}
        {...register('email', { validate: emailRefusal })}
      />
      <PasswordField
        label={t`Password`}
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password', { required: t`Password is required` })}
      />
      <Button type="submit" isWide isBusy={logIn.isPending}>{t`Sign In`}</Button>
      <Button variant="plain" size="small" onClick={onBack}>
        <ArrowLeft size={18} aria-hidden="true" />
        {t`Back`}
      </Button>
    </form>
  );
}
