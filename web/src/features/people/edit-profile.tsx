import { moreActivities, presetActivities } from '@caravan/contracts/domain/movement/activities';
import type { UserProfile } from '@caravan/contracts/http/people';
import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { fieldRefusals } from '../../lib/http-error.ts';
import { useRules } from '../../lib/use-rules.ts';
import { Button } from '../../ui/button.tsx';
import { CountedArea, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useEditProfile } from './api.ts';
import styles from './people.module.css';

const longest = { name: 80, bio: 120, location: 80, favoriteActivity: 60 } as const;
const activities = [...presetActivities.map(({ name }) => name), ...moreActivities];

type Fields = Pick<UserProfile, 'name' | 'bio' | 'location' | 'favoriteActivity'>;
const isField = (path: string): path is keyof Fields => path in longest;

/** Name, bio, location and favourite activity of oneself; Cancel forgets, Save keeps them (4.32). */
export function EditProfile({ user, onDone }: { user: UserProfile; onDone: () => void }) {
  const { t } = useLingui();
  const { nameRefusal } = useRules();
  const save = useEditProfile();
  const { name, bio, location, favoriteActivity } = user;
  const { register, control, handleSubmit, formState, setError, setFocus } = useForm<Fields>({
    defaultValues: { name, bio, location, favoriteActivity },
  });
  // One asked for the form: this is where one goes on.
  useEffect(() => setFocus('name'), [setFocus]);
  const submit = handleSubmit((fields) =>
    save.mutate(fields, {
      onSuccess: () => {
        toast({ title: t`Profile Updated`, tone: 'good' });
        onDone();
      },
      onError: (error) => {
        for (const { path, message } of fieldRefusals(error)) if (isField(path)) setError(path, { message });
        toast({
          title: t`Update Failed`,
          description: t`There was an error updating your profile.`,
          tone: 'error',
        });
      },
    }),
  );
  return (
    <Card>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t`Name`}
          autoComplete="name"
          maxLength={longest.name}
          error={formState.errors.name?.message}
          {...register('name', { validate: nameRefusal })}
        />
        <Controller
          control={control}
          name="bio"
          render={({ field: { value, onChange, onBlur, ref, name: field }, fieldState }) => (
            <CountedArea
              label={t`Bio`}
              hint={t`Colleagues read it on your profile.`}
              limit={longest.bio}
              error={fieldState.error?.message}
              value={value}
              onText={onChange}
              {...{ onBlur, ref, name: field }}
            />
          )}
        />
        <TextField
          label={t`Location`}
          maxLength={longest.location}
          error={formState.errors.location?.message}
          {...register('location')}
        />
        <TextField
          label={t`Favorite activity`}
          list="activities"
          maxLength={longest.favoriteActivity}
          error={formState.errors.favoriteActivity?.message}
          {...register('favoriteActivity')}
        />
        <datalist id="activities">
          {activities.map((activity) => (
            <option key={activity} value={activity} />
          ))}
        </datalist>
        <div className={styles.actions}>
          <Button variant="quiet" onClick={onDone}>{t`Cancel`}</Button>
          <Button type="submit" isBusy={save.isPending}>{t`Save`}</Button>
        </div>
      </form>
    </Card>
  );
}
