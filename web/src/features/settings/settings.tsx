import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { meQuery } from '../../lib/me.ts';
import { settingsQuery } from '../../lib/preferences.ts';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { fieldsOf } from './fields.ts';
import { SettingsForm } from './settings-form.tsx';

const skeletons = [420, 300, 380];

/**
 * What one can set about oneself, and `children`: what acts at once, without saving (2.104). So do `picture` and
 * `devices`; `belowEmail` says what the address waits for.
 */
export function Settings({
  picture,
  belowEmail,
  devices,
  children,
}: {
  picture?: ReactNode;
  belowEmail?: ReactNode;
  devices?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const settings = useQuery(settingsQuery);
  const me = useQuery(meQuery);
  return (
    <Page title={t`Settings`} width="text">
      <Stack>
        <Loading
          isLoading={!settings.isError && !(settings.data && me.data)}
          skeleton={
            <Stack>
              {skeletons.map((height) => (
                <Skeleton key={height} height={height} />
              ))}
            </Stack>
          }
        >
          {() =>
            settings.data && me.data ? (
              <SettingsForm
                saved={fieldsOf(settings.data, me.data.timeZone)}
                picture={picture}
                belowEmail={belowEmail}
                devices={devices}
              />
            ) : (
              <Card>
                <ErrorState
                  title={t`Your settings could not be loaded`}
                  hint={t`Please try again later.`}
                  onRetry={() => void settings.refetch()}
                />
              </Card>
            )
          }
        </Loading>
        {children}
      </Stack>
    </Page>
  );
}
