import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleAlert, History, RefreshCw, SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { HttpError, serverMessage } from '../../lib/http-error.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { fitnessStatusQuery, useSync } from './api.ts';
import type { DevicesSearch } from './device.ts';
import { Devices } from './devices.tsx';
import styles from './devices.module.css';

/** Where what one has recorded elsewhere comes from (2.80); disconnecting is a matter of the settings (2.83). */
export function AccountSettings({ search }: { search: DevicesSearch }) {
  const { t } = useLingui();
  const { data: status } = useQuery(fitnessStatusQuery);
  const sync = useSync();
  const isConnected = Boolean(status?.strava.connected || status?.fitbit.connected);
  const start = () =>
    sync.mutate(undefined, {
      onSuccess: (count) =>
        toast({ title: t`Sync Complete`, description: t`Synced ${count} new activities`, tone: 'good' }),
      onError: () =>
        toast({
          title: t`Sync Failed`,
          description: t`Could not sync activities. Please try again.`,
          tone: 'error',
        }),
    });
  const reason = sync.error instanceof HttpError ? serverMessage(sync.error, '') : '';
  return (
    <Page
      title={t`Account Settings`}
      lead={t`Bring in what you have recorded elsewhere.`}
      width="text"
      aside={<BackLink to="/dashboard" />}
    >
      <Stack>
        <Card
          title={t`Fitness Devices`}
          aside={
            isConnected && (
              <Button variant="quiet" size="small" isBusy={sync.isPending} onClick={start}>
                {!sync.isPending && <RefreshCw size={18} aria-hidden="true" />}
                {t`Sync Now`}
              </Button>
            )
          }
        >
          {reason !== '' && (
            <p className={styles.note} role="status">
              <CircleAlert size={18} aria-hidden="true" />
              {reason}
            </p>
          )}
          <Devices place="account-settings" search={search} />
        </Card>
        <Card>
          <ul className={styles.ways}>
            <Way
              to="/settings/workouts"
              icon={<History size={22} aria-hidden="true" />}
              title={t`Imported workouts`}
              text={t`What came in, what was skipped, and why`}
            />
            <Way
              to="/settings"
              icon={<SlidersHorizontal size={22} aria-hidden="true" />}
              title={t`Settings`}
              text={t`Disconnect, or choose what earns miles`}
            />
          </ul>
        </Card>
      </Stack>
    </Page>
  );
}

function Way({
  to,
  icon,
  title,
  text,
}: {
  to: '/settings' | '/settings/workouts';
  icon: ReactNode;
  title: string;
  text: string;
}) {
  return (
    <li>
      {icon}
      <div>
        <Link to={to} {...(to === '/settings' && { hash: 'fitness-devices' })}>
          {title}
        </Link>
        <p>{text}</p>
      </div>
      <ChevronRight size={20} aria-hidden="true" />
    </li>
  );
}
