import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import type { OwnSession } from '@caravan/contracts/http/people';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { endOwnSession, listOwnSessions } from '../../lib/api/generated/sdk.gen.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { useSession } from '../../lib/session-state.ts';
import { logOut } from '../../lib/session.ts';
import { Button, Tag } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Hidden, RelativeTime } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './sessions.module.css';

/** Where one is signed in, and the way out of each place. */
export function Sessions() {
  const { t } = useLingui();
  const email = shownAddress(useSession().user?.email ?? '');
  const { data: sessions, isError, refetch } = useQuery(ownSessionsQuery);
  return (
    <Card title={t`Where you are signed in`}>
      <p className={styles.lead}>{t`Signed in as ${email}`}</p>
      <Loading isLoading={!isError && !sessions} skeleton={<Skeleton height={132} />}>
        {() =>
          sessions ? (
            <Places sessions={sessions} />
          ) : (
            <ErrorState title={t`Your sessions could not be loaded`} onRetry={() => void refetch()} />
          )
        }
      </Loading>
      <div className={styles.actions}>
        <Button variant="quiet" onClick={() => void logOut()}>
          <LogOut size={20} aria-hidden="true" />
          {t`Logout`}
        </Button>
      </div>
    </Card>
  );
}

function Places({ sessions }: { sessions: readonly OwnSession[] }) {
  const { t } = useLingui();
  const end = useEndSessions();
  const others = sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
  const endAll = (ids: readonly string[]) =>
    end.mutate(ids, {
      onSuccess: () =>
        toast({ title: ids.length > 1 ? t`Signed out everywhere else` : t`Signed out there`, tone: 'good' }),
      onError: (error) =>
        toast({
          title: t`Error`,
          description: serverMessage(error, t`That did not work. Please try again.`),
          tone: 'error',
        }),
    });
  return (
    <>
      <ul className={styles.places}>
        {sessions.map((session) => (
          <Place
            key={session.id}
            session={session}
            isBusy={end.isPending && end.variables.includes(session.id)}
            onEnd={() => endAll([session.id])}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <Button variant="quiet" size="small" isBusy={end.isPending} onClick={() => endAll(others)}>
          {t`Sign out everywhere else`}
        </Button>
      )}
    </>
  );
}

function Place({
  session: { device, lastSeenAt, isCurrent },
  isBusy,
  onEnd,
}: {
  session: OwnSession;
  isBusy: boolean;
  onEnd: () => void;
}) {
  const { t } = useLingui();
  return (
    <li>
      <div>
        <b>{device}</b>
        {!isCurrent && (
          <p>
            <Trans>
              Last seen <RelativeTime at={lastSeenAt} />
            </Trans>
          </p>
        )}
      </div>
      {isCurrent ? (
        <Tag tone="good">{t`This device`}</Tag>
      ) : (
        <Button variant="quiet" size="small" isBusy={isBusy} onClick={onEnd}>
          {t`Sign out`}
          <Hidden>: {device}</Hidden>
        </Button>
      )}
    </li>
  );
}

const ownSessionsQuery = dataQuery(['/api/me/sessions'], listOwnSessions);

/** Signs out sessions of one's own; their tokens are refused from now on. Whatever fails, the list is read anew. */
function useEndSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map((id) => endOwnSession({ path: { id } }))),
    onSettled: () => queryClient.invalidateQueries(ownSessionsQuery),
  });
}
