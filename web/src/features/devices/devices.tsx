import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useDates } from '../../lib/dates.ts';
import { HttpError } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import { fitnessAccountsQuery, fitnessStatusQuery } from './api.ts';
import { AppleWatchRow } from './apple-watch.tsx';
import { type Arrival, arrivalOf, type DevicesSearch, type Place, platformOf, providerNames } from './device.ts';
import { DeviceRow } from './device-row.tsx';
import styles from './devices.module.css';
import { PlatformRow } from './platform-row.tsx';
import { connectFailureWords } from './words.ts';

/** The four devices, and when something came in last. */
export function Devices({ place, search }: { place: Place; search: DevicesSearch }) {
  const { t, i18n } = useLingui();
  const { device, outcome } = useArrival(search);
  const { data: status, isError, refetch } = useQuery(fitnessStatusQuery);
  const accounts = useQuery(fitnessAccountsQuery);
  const failureOf = (provider: keyof typeof providerNames) =>
    outcome?.is === 'failed' && outcome.provider === provider && outcome.why
      ? i18n._(connectFailureWords(outcome.why, providerNames[provider]))
      : undefined;
  return (
    <Loading isLoading={!isError && !status} skeleton={<Skeleton height={300} />}>
      {() =>
        status ? (
          <>
            {(status.strava.connected || status.fitbit.connected) && status.lastSyncDate !== null && (
              <LastSynced at={status.lastSyncDate} />
            )}
            <ul className={styles.rows}>
              <AppleWatchRow isMeant={device === 'apple-watch'} />
              {(['strava', 'fitbit'] as const).map((provider) => (
                <PlatformRow
                  key={provider}
                  platform={platformOf(provider, status, accounts.data)}
                  place={place}
                  isMeant={device === provider}
                  failure={failureOf(provider)}
                  mayBeOwnersOnly={provider === 'strava' && isUnknown(accounts)}
                />
              ))}
              <DeviceRow
                id="google-fit"
                name={t`Google Fit`}
                isMeant={device === 'google-fit'}
                text={<p>{t`Workouts of your Android phone.`}</p>}
                action={<Button variant="quiet" size="small" disabled>{t`Coming Soon`}</Button>}
              />
            </ul>
          </>
        ) : (
          <ErrorState title={t`Your devices could not be loaded`} onRetry={() => void refetch()} />
        )
      }
    </Loading>
  );
}

/** A server that has no such list (404) knows no owners' only either; one that has it and cannot tell may. */
const isUnknown = ({ isPending, error }: { isPending: boolean; error: Error | null }): boolean =>
  isPending || (error !== null && !(error instanceof HttpError && error.status === 404));

function LastSynced({ at }: { at: string }) {
  const { t } = useLingui();
  const { formatDate } = useDates();
  const when = formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className={styles.banner}>
      <RefreshCw size={18} aria-hidden="true" />
      {t`Last synced ${when}`}
    </p>
  );
}

/** What the address says is kept, told once, and taken out of the address (2.78). */
function useArrival(search: DevicesSearch): Arrival {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [kept, setKept] = useState(search);
  const isNew = Object.keys(search).length > 0;
  if (isNew && JSON.stringify(search) !== JSON.stringify(kept)) setKept(search);
  useEffect(() => {
    if (!isNew) return;
    const { outcome } = arrivalOf(kept);
    if (outcome) tell(outcome);
    void navigate({ to: '.', search: {}, hash: true, replace: true });
    function tell({ is, provider }: NonNullable<Arrival['outcome']>) {
      const name = providerNames[provider];
      toast(
        is === 'connected'
          ? { title: t`${name} is connected`, description: t`Your last 30 days are on their way.`, tone: 'good' }
          : {
              title: t`Connection Failed`,
              description: t`Could not connect to ${name}. Please try again.`,
              tone: 'error',
            },
      );
    }
  }, [isNew, kept, navigate, t]);
  return arrivalOf(kept);
}
