import type { SignupAnswer } from '@caravan/contracts/http/accounts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ArrowLeft, MapPin, MapPinOff } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SignupData } from '../../lib/api/generated/types.gen.ts';
import { browserZone } from '../../lib/dates.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { useRules } from '../../lib/use-rules.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField, StrengthMeter } from '../../ui/password-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './account.module.css';
import { invitationQuery, useSignUp } from './api.ts';

/** Into the default organisation, by an invite, or as the first of a new one (D1). */
type Joining = 'join' | 'invite' | 'found';

export function SignupForm({
  invite,
  onSignedUp,
  onBack,
}: {
  invite: string | undefined;
  onSignedUp: (answer: SignupAnswer) => void;
  onBack: () => void;
}) {
  const { t } = useLingui();
  const signUp = useSignUp();
  const { emailRefusal, newPasswordRefusal, nameRefusal, organisationRefusal } = useRules();
  const [joining, setJoining] = useState<Joining>(invite === undefined ? 'join' : 'invite');
  const [code, setCode] = useState(invite?.trim() ?? '');
  const { register, handleSubmit, watch, formState } = useForm<SignupData['body']>({
    defaultValues: { name: '', email: '', password: '', ...(invite !== undefined && { invite }) },
    shouldUnregister: true,
  });
  const { errors } = formState;
  const submit = handleSubmit((body) =>
    signUp.mutate(
      { ...body, ...ownTimeZone() },
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
      {joining === 'invite' && code !== '' && <WhereItLeads code={code} />}
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
      {joining === 'invite' && (
        <TextField
          label={t`Invite code`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.invite?.message}
          {...register('invite', {
            onBlur: ({ target }: { target: HTMLInputElement }) => setCode(target.value.trim()),
          })}
        />
      )}
      {joining === 'found' && (
        <TextField
          label={t`Name of the organisation`}
          autoComplete="organization"
          hint={t`You become its admin.`}
          error={errors.organizationName?.message}
          {...register('organizationName', { validate: organisationRefusal })}
        />
      )}
      <Button type="submit" isWide isBusy={signUp.isPending}>{t`Create Account`}</Button>
      <JoiningLinks joining={joining} onChoose={setJoining} />
      <Button variant="plain" size="small" onClick={onBack}>
        <ArrowLeft size={18} aria-hidden="true" />
        {t`Back`}
      </Button>
    </form>
  );
}

function JoiningLinks({ joining, onChoose }: { joining: Joining; onChoose: (joining: Joining) => void }) {
  const { t } = useLingui();
  const link = (to: Joining, text: string) => (
    <button type="button" className={styles.link} onClick={() => onChoose(to)}>
      {text}
    </button>
  );
  return (
    <div className={styles.row}>
      {joining !== 'invite' && link('invite', t`I have an invite`)}
      {joining !== 'found' && link('found', t`Start a new organisation`)}
    </div>
  );
}

/** The browser's zone; none where it knows only an offset, which is no zone. */
function ownTimeZone(): { timeZone?: string } {
  const timeZone = browserZone();
  return /^[A-Z]/i.test(timeZone) && timeZone !== 'Etc/Unknown' ? { timeZone } : {};
}

/** The organisation an invite leads to, or why it leads nowhere; the form stands either way (D1). */
export function WhereItLeads({ code }: { code: string }) {
  const { t } = useLingui();
  const { data, error } = useQuery(invitationQuery(code));
  if (error)
    return (
      <div className={clsx(styles.where, styles.closed)} role="status">
        <MapPinOff size={26} aria-hidden="true" />
        <span>
          <b>{serverMessage(error, t`This invite could not be checked`)}</b>
          {t`Ask for a new one, or start a new organisation.`}
        </span>
      </div>
    );
  return (
    <div className={styles.where} role="status">
      {data ? (
        <>
          {data.logoUrl ? <img src={data.logoUrl} alt="" /> : <MapPin size={26} aria-hidden="true" />}
          <span>
            <Trans>
              You are joining <b>{data.organizationName}</b>
            </Trans>
          </span>
        </>
      ) : (
        <Skeleton width={180} height={20} />
      )}
    </div>
  );
}
