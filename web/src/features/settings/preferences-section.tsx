import { useLingui } from '@lingui/react/macro';
import { Monitor, Moon, Sun } from 'lucide-react';
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form';
import type { Theme } from '../../lib/theme.ts';
import { Card } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { SettingsFields } from './fields.ts';
import { PushHere } from './push-here.tsx';
import styles from './settings.module.css';

export function PreferencesSection() {
  const { t } = useLingui();
  const { control, setValue } = useFormContext<SettingsFields>();
  const themes = [
    { value: 'system', icon: Monitor, label: t`System` },
    { value: 'light', icon: Sun, label: t`Light` },
    { value: 'dark', icon: Moon, label: t`Dark` },
  ] as const;
  const choose = (theme: Theme, onChange: (theme: Theme) => void) => {
    onChange(theme);
    setValue('preferences.darkMode', theme === 'dark');
  };
  return (
    <Card title={t`Preferences`}>
      <div className={styles.fields}>
        <div className={styles.choice}>
          <h3>{t`Appearance`}</h3>
          <Controller
            control={control}
            name="preferences.theme"
            render={({ field: { value, onChange } }) => (
              <Segmented
                label={t`Appearance`}
                value={value}
                onChange={(theme) => choose(theme, onChange)}
                options={themes.map(({ value: theme, icon: Icon, label }) => ({
                  value: theme,
                  label: (
                    <>
                      <Icon size={18} aria-hidden="true" />
                      {label}
                    </>
                  ),
                }))}
              />
            )}
          />
        </div>
        <div className={styles.choice}>
          <h3>{t`Distances`}</h3>
          <Controller
            control={control}
            name="preferences.units"
            render={({ field: { value, onChange } }) => (
              <Segmented
                label={t`Distances`}
                value={value}
                onChange={onChange}
                options={[
                  { value: 'imperial', label: t`Miles` },
                  { value: 'metric', label: t`Kilometers` },
                ]}
              />
            )}
          />
          <p className={styles.hint}>{t`10 minutes of any activity = 1 mile`}</p>
        </div>
      </div>
    </Card>
  );
}

export function NotificationsSection() {
  const { t } = useLingui();
  const isPushOn = useFormContext<SettingsFields>().watch('notifications.push');
  return (
    <Card title={t`Notifications`}>
      <div className={styles.switches}>
        <SwitchField
          name="notifications.email"
          label={t`Email notifications`}
          hint={t`News about you and your team in your inbox.`}
        />
        <SwitchField
          name="notifications.push"
          label={t`Push notifications`}
          hint={t`On phones and computers where you allow it.`}
        />
        {isPushOn && <PushHere />}
        <SwitchField
          name="notifications.teamUpdates"
          label={t`Team updates`}
          hint={t`When your team reaches something together.`}
        />
        <SwitchField
          name="notifications.weeklyReports"
          label={t`Weekly reports`}
          hint={t`On Mondays: how far you all came.`}
        />
      </div>
    </Card>
  );
}

/** Each switch says what colleagues will see (D18). */
export function PrivacySection() {
  const { t } = useLingui();
  return (
    <Card title={t`Privacy`}>
      <p className={styles.lead}>{t`Your miles count for your team whatever you choose here.`}</p>
      <div className={styles.switches}>
        <SwitchField
          name="privacy.profileVisible"
          label={t`Show my profile`}
          hint={t`Colleagues can open your profile and follow you. Off: nobody finds it.`}
        />
        <SwitchField
          name="privacy.activityVisible"
          label={t`Show my activity`}
          hint={t`What you log appears in the feeds. Off: only you see it.`}
        />
        <SwitchField
          name="privacy.statsVisible"
          label={t`Show my stats`}
          hint={t`Name and numbers on the scoreboard and your profile. Off: the board lists you as ‘A teammate’.`}
        />
        <SwitchField
          name="privacy.shareHeartRate"
          label={t`Share heart rate`}
          hint={t`Your posts show it where a device measured it.`}
        />
        <SwitchField
          name="privacy.shareCalories"
          label={t`Share calories`}
          hint={t`Your posts show them where a device counted them.`}
        />
        <SwitchField
          name="privacy.featuredInRecaps"
          label={t`Feature my words and photos in recaps`}
          hint={t`Monday’s story may quote what colleagues can read anyway. Off: it never does.`}
        />
      </div>
    </Card>
  );
}

function SwitchField({
  name,
  label,
  hint,
}: {
  name: FieldPathByValue<SettingsFields, boolean>;
  label: string;
  hint: string;
}) {
  const { control } = useFormContext<SettingsFields>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange } }) => <Switch label={label} hint={hint} isOn={value} onChange={onChange} />}
    />
  );
}
