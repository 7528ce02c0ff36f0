import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { HeartPulse, type LucideIcon, Route, Watch } from 'lucide-react';
import { formatDate } from '../../lib/format.ts';
import { Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { fitnessStatusQuery } from './api.ts';
import styles from './settings.module.css';

/** What is connected, as the server knows it (D24). */
export function DevicesSection() {
  const { t } = useLingui();
  const { data: status, isError, refetch } = useQuery(fitnessStatusQuery);
  return (
    <Card title={t`Fitness Devices`}>
      <Loading isLoading={!isError && !status} skeleton={<Skeleton height={220} />}>
        {() =>
          status ? (
            <>
              {status.lastSyncDate !== null && <LastSynced at={status.lastSyncDate} />}
              <ul className={styles.devices}>
                <Device icon={Watch} name={t`Apple Watch`} isComing />
                <Device icon={HeartPulse} name={t`Google Fit`} isComing />
                <Device
                  icon={Route}
                  name={t`Strava`}
                  isConnected={status.strava.connected}
                  account={status.strava.athleteId}
                />
                <Device
                  icon={Watch}
                  name={t`Fitbit`}
                  isConnected={status.fitbit.connected}
                  account={status.fitbit.userId}
                />
              </ul>
            </>
          ) : (
            <ErrorState title={t`Your devices could not be loaded`} onRetry={() => void refetch()} />
          )
        }
      </Loading>
    </Card>
  );
}

function LastSynced({ at }: { at: string }) {
  const when = formatDate(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className={styles.lead}>
      <Trans>Last synced {when}</Trans>
    </p>
  );
}

function Device({
  icon: Icon,
  name,
  isComing = false,
  isConnected = false,
  account = null,
}: {
  icon: LucideIcon;
  name: string;
  isComing?: boolean;
  isConnected?: boolean;
  /** As the platform numbers its people. */
  account?: string | null;
}) {
  return (
    <li>
      <Icon size={22} aria-hidden="true" />
      <div>
        <b>{name}</b>
        {isConnected && account !== null && <p>{account}</p>}
      </div>
      {isComing ? (
        <Tag>
          <Trans>Coming Soon</Trans>
        </Tag>
      ) : (
        <Tag tone={isConnected ? 'good' : 'plain'}>
          {isConnected ? <Trans>Connected</Trans> : <Trans>Not connected</Trans>}
        </Tag>
      )}
    </li>
  );
}
