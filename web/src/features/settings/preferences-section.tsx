import { useLingui } from '@lingui/react/macro';
import { Monitor, Moon, Sun } from 'lucide-react';
import { Controller, useFormContext } from 'react-hook-form';
import type { Theme } from '../../lib/theme.ts';
import { Card } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { SettingsFields } from './fields.ts';
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
