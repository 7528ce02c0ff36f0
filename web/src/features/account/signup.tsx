import type { SignupAnswer } from '@caravan/contracts/http/accounts';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Mail } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SignupData } from '../../lib/api/generated/types.gen.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { AccountCard } from './account-card.tsx';
import styles from './account.module.css';
import { useSignUp } from './api.ts';
import { PasswordField, StrengthMeter } from './password-field.tsx';
import { FitnessPlatforms, SocialButtons } from './providers.tsx';
import { useRules } from './use-rules.ts';

type SignupProps = {
  /** From the link `/signup?invite=CODE` (D1). */
  invite: string | undefined;
  onSignedUp: (answer: SignupAnswer) => void;
};

export function Signup({ invite, onSignedUp }: SignupProps) {
  const { t } = useLingui();
  const [isByEmail, setByEmail] = useState(invite !== undefined);
  return (
    <AccountCard title={t`Join the caravan`} lead={t`Ten minutes of anything that moves you are a mile for your team.`}>
      {isByEmail ? (
        <EmailForm invite={invite} onSignedUp={onSignedUp} onBack={() => setByEmail(false)} />
      ) : (
        <div className={styles.stack}>
          <SocialButtons />
          <Button isWide onClick={() => setByEmail(true)}>
            <Mail size={20} aria-hidden="true" />
            {t`Continue with Email`}
          </Button>
          <FitnessPlatforms />
        </div>
      )}
      <p className={styles.other}>
        <Trans>
          Already have an account? <Link to="/login">Sign in</Link>
        </Trans>
      </p>
    </AccountCard>
  );
}

type Founding = 'join' | 'invite' | 'found';

function EmailForm({ invite, onSignedUp, onBack }: SignupProps & { onBack: () => void }) {
  const { t } = useLingui();
  const signUp = useSignUp();
  const { emailRefusal, newPasswordRefusal, nameRefusal, organisationRefusal } = useRules();
  const [founding, setFounding] = useState<Founding>(invite === undefined ? 'join' : 'invite');
  const { register, handleSubmit, watch, formState } = useForm<SignupData['body']>({
    defaultValues: { name: '', email: '', password: '', ...(invite !== undefined && { invite }) },
    shouldUnregister: true,
  });
  const { errors } = formState;
  const submit = handleSubmit((body) =>
    signUp.mutate(
      { ...body, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      {
        onSuccess: onSignedUp,
        onError: (error) =>
          toast({
            title: t`Signup failed`,
            description: serverMessage(error, t`Failed to create account`),
            tone: 'error',
          }),
      },
    ),
  );
  return (
    <form className={styles.stack} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t`Full name`}
        autoComplete="name"
        error={errors.name?.message}
        {...register('name', { validate: nameRefusal })}
      />
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...register('email', { validate: emailRefusal })}
      />
      <PasswordField
        label={t`Password`}
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password', { validate: newPasswordRefusal })}
      />
      <StrengthMeter password={watch('password')} />
      {founding === 'invite' && (
        <TextField label={t`Invite code`} autoComplete="off" error={errors.invite?.message} {...register('invite')} />
      )}
      {founding === 'found' && (
        <TextField
          label={t`Name of the organisation`}
          autoComplete="organization"
          hint={t`You become its admin.`}
          error={errors.organizationName?.message}
          {...register('organizationName', { validate: organisationRefusal })}
        />
      )}
      <Button type="submit" isWide isBusy={signUp.isPending}>{t`Create Account`}</Button>
      <FoundingLinks founding={founding} onChoose={setFounding} />
      <Button variant="plain" size="small" onClick={onBack}>
        <ArrowLeft size={18} aria-hidden="true" />
        {t`Back`}
      </Button>
    </form>
  );
}

function FoundingLinks({ founding, onChoose }: { founding: Founding; onChoose: (founding: Founding) => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.row}>
      {founding !== 'invite' && (
        <button type="button" className={styles.link} onClick={() => onChoose('invite')}>{t`I have an invite`}</button>
      )}
      {founding !== 'found' && (
        <button
          type="button"
          className={styles.link}
          onClick={() => onChoose('found')}
        >{t`Start a new organisation`}</button>
      )}
    </div>
  );
}
