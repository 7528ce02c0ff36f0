import type { LoginRequest } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { serverMessage } from '../../lib/http-error.ts';
import { useRules } from '../../lib/use-rules.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './account.module.css';
import { useLogIn } from './api.ts';

export function LoginForm({ onBack }: { onBack: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { history } = useRouter();
  const goOnAt = useLocation({ select: ({ state }) => state.goOnAt });
  const logIn = useLogIn();
  const { emailRefusal } = useRules();
  const { register, handleSubmit, formState } = useForm<LoginRequest>({
    defaultValues: { email: '', password: '' },
  });
  const submit = handleSubmit((body) =>
    logIn.mutate(body, {
      onSuccess: () => {
        toast({ title: t`Welcome back!`, description: t`You have successfully logged in.`, tone: 'good' });
        if (goOnAt === undefined) void navigate({ to: '/dashboard' });
        else history.replace(goOnAt);
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
      <div className={styles.row}>
        <Button variant="plain" size="small" onClick={onBack}>
          <ArrowLeft size={18} aria-hidden="true" />
          {t`Back`}
        </Button>
        <Link to="/forgot-password" className={styles.link}>{t`Forgot your password?`}</Link>
      </div>
    </form>
  );
}
