import type { ExportState } from '@caravan/contracts/http/people';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, LoaderCircle, PackageOpen } from 'lucide-react';
import { useDates } from '../../lib/dates.ts';
import { formatBytes } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { isUnanswered } from '../../lib/latest.ts';
import { useNow } from '../../lib/now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-state.ts';
import { exportQuery, useDownloadExport, useRequestExport } from './api.ts';
import { EraseAccount } from './erase-account.tsx';
import styles from './my-data.module.css';

/** All one's data, to take along or to leave behind for good. */
export function MyData() {
  const { t } = useLingui();
  return (
    <Card title={t`Your data`} anchor="my-data">
      <section className={styles.part}>
        <h3>{t`Export`}</h3>
        <p>{t`Everything Caravan keeps about you in one zip file: JSON for programs, CSV for spreadsheets.`}</p>
        <Export />
      </section>
      <section className={styles.part}>
        <h3>{t`Erase account`}</h3>
        <p>{t`Leave for good. Your account and everything personal goes; nobody can bring it back.`}</p>
        <EraseAccount />
      </section>
    </Card>
  );
}

/** Asks for the export, waits for it, hands it over. */
function Export() {
  const { t } = useLingui();
  const { data, isError, refetch } = useQuery(exportQuery);
  const isExpired = useIsPast(data?.expiresAt ?? null);
  if (isError && !data)
    return <ErrorState title={t`Your export could not be looked up`} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <div className={styles.act} role="status">
      {data.state === 'building' && (
        <p className={styles.building}>
          <LoaderCircle size={20} aria-hidden="true" />
          <Trans>We are collecting your data. You can leave this page; a mail tells you when it is ready.</Trans>
        </p>
      )}
      {data.state === 'ready' && !isExpired && <Ready ready={data} />}
      {data.state === 'failed' && <p className={styles.failed}>{t`The export failed. Please ask for it again.`}</p>}
      {(data.state === 'none' || data.state === 'failed' || isExpired) && <Request />}
    </div>
  );
}

function useIsPast(iso: string | null): boolean {
  const now = useNow();
  return iso !== null && Date.parse(iso) <= now;
}

function Request() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useRequestExport();
  const request = () =>
    mutate(undefined, {
      onError: (error) => {
        const state = queryClient.getQueryData(exportQuery.queryKey)?.state;
        // The answer was lost, and the export was started.
        if (isUnanswered(error) && (state === 'building' || state === 'ready')) return;
        complain(t`Error`, serverMessage(error, t`Your export could not be started. Please try again.`));
      },
    });
  return (
    <Button variant="quiet" isBusy={isPending} onClick={request}>
      <PackageOpen size={20} aria-hidden="true" />
      {t`Request export`}
    </Button>
  );
}

function Ready({ ready: { sizeBytes, expiresAt } }: { ready: ExportState }) {
  const { t } = useLingui();
  const { mutate, isPending } = useDownloadExport();
  const { formatDate } = useDates();
  const until = expiresAt === null ? '' : formatDate(expiresAt, { dateStyle: 'medium', timeStyle: 'short' });
  const size = sizeBytes === null ? '' : ` (${formatBytes(sizeBytes)})`;
  const download = () =>
    mutate(undefined, {
      onError: (error) =>
        complain(t`Error`, serverMessage(error, t`Your export could not be downloaded. Please try again.`)),
    });
  return (
    <>
      <Button isBusy={isPending} onClick={download}>
        <Download size={20} aria-hidden="true" />
        {t`Download${size}`}
      </Button>
      {until && <p className={styles.until}>{t`Here until ${until}`}</p>}
    </>
  );
}

const complain = (title: string, description: string) => toast({ title, description, tone: 'error' });
