import { isSameAddress } from '@caravan/contracts/domain/text/email-address';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { timeZonesWith } from '../../lib/time-zones.ts';
import { useRules } from '../../lib/use-rules.ts';
import { CountedArea, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SelectField } from '../../ui/select.tsx';
import type { SettingsFields } from './fields.ts';
import styles from './settings.module.css';

const longest = { name: 80, email: 254, phone: 40, bio: 120 } as const;

export function ProfileSection({
  ownEmail,
  picture,
  belowEmail,
}: {
  ownEmail: string;
  picture: ReactNode;
  belowEmail: ReactNode;
}) {
  const { t } = useLingui();
  const { nameRefusal, emailRefusal } = useRules();
  const { register, control, formState, watch } = useFormContext<SettingsFields>();
  const isAddressNew = !isSameAddress(watch('profile.email'), ownEmail);
  const { errors } = formState;
  return (
    <Card title={t`Profile`}>
      <div className={styles.fields}>
        {picture}
        <TextField
          label={t`Name`}
          autoComplete="name"
          maxLength={longest.name}
          error={errors.profile?.name?.message}
          {...register('profile.name', { validate: nameRefusal })}
        />
        <TextField
          label={t`Email`}
          type="email"
          autoComplete="email"
          maxLength={longest.email}
          error={errors.profile?.email?.message}
          {...register('profile.email', { validate: emailRefusal })}
        />
        {isAddressNew ? (
          <PasswordField
            label={t`Current password`}
            autoComplete="current-password"
            hint={t`Needed to change your email. We mail a link to the new address; until you open it, the old one stays.`}
            error={errors.currentPassword?.message}
            {...register('currentPassword', {
              validate: (typed) => (typed === '' ? t`Password is required` : undefined),
            })}
          />
        ) : (
          belowEmail
        )}
        <TextField
          label={t`Phone`}
          type="tel"
          autoComplete="tel"
          hint={t`Optional. Only you see it.`}
          maxLength={longest.phone}
          error={errors.profile?.phone?.message}
          {...register('profile.phone')}
        />
        <Controller
          control={control}
          name="profile.bio"
          render={({ field: { value, onChange, onBlur, ref, name }, fieldState }) => (
            <CountedArea
              label={t`Bio`}
              hint={t`Optional. Colleagues read it on your profile.`}
              limit={longest.bio}
              error={fieldState.error?.message}
              value={value}
              onText={onChange}
              {...{ onBlur, ref, name }}
            />
          )}
        />
        <Controller
          control={control}
          name="timeZone"
          render={({ field, fieldState }) => (
            <SelectField
              {...field}
              label={t`Time zone`}
              hint={t`Your days and streaks begin at midnight there.`}
              error={fieldState.error?.message}
              options={timeZonesWith(field.value)}
            />
          )}
        />
      </div>
    </Card>
  );
}
