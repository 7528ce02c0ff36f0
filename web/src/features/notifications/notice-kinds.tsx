import type { Mutes } from '@caravan/contracts/http/notifications';
import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../lib/session-state.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast-state.ts';
import { mutesQuery, useMute } from './api.ts';
import { adminKinds, groups, kinds } from './kinds.ts';
import styles from './notifications.module.css';

/** What one wants to be told of, kind by kind; each switch acts at once. */
export function NoticeKinds() {
  const { t, i18n } = useLingui();
  const { user } = useSession();
  const mutes = useQuery(mutesQuery);
  const isForReader = (kind: NotificationKind) => user?.role === 'admin' || !adminKinds.has(kind);
  return (
    <Page
      title={t`What you are told`}
      lead={t`By the bell, by mail and on your devices. Each switch acts at once.`}
      width="text"
      aside={<BackLink to="/settings" />}
    >
      <Loading isLoading={mutes.isPending} skeleton={<KindsSkeleton />}>
        {() =>
          mutes.data ? (
            <Stack>
              {groups.map(({ title, kinds: inGroup }) => (
                <Card key={title.id} title={i18n._(title)}>
                  <div className={styles.switches}>
                    {inGroup.filter(isForReader).map((kind) => (
                      <KindSwitch key={kind} kind={kind} muted={mutes.data?.kinds ?? []} />
                    ))}
                  </div>
                </Card>
              ))}
            </Stack>
          ) : (
            <Card>
              <ErrorState
                title={t`Your choices could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void mutes.refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

/** The first group of choices, beside the notices themselves on wide screens. */
export function NearbyKinds() {
  const { t } = useLingui();
  const { data } = useQuery(mutesQuery);
  const [first] = groups;
  if (!data || !first) return null;
  return (
    <Card title={t`What you are told`} aside={<Link to="/settings/notifications">{t`All choices`}</Link>}>
      <div className={styles.switches}>
        {first.kinds.map((kind) => (
          <KindSwitch key={kind} kind={kind} muted={data.kinds} />
        ))}
      </div>
    </Card>
  );
}

function KindSwitch({ kind, muted }: { kind: NotificationKind; muted: Mutes['kinds'] }) {
  const { t, i18n } = useLingui();
  const { mutate } = useMute();
  const { name, hint } = kinds[kind];
  const showFailure = () =>
    toast({ title: t`That could not be changed`, description: t`Please try again.`, tone: 'error' });
  return (
    <Switch
      label={i18n._(name)}
      hint={i18n._(hint)}
      isOn={!muted.includes(kind)}
      onChange={(isOn) => mutate({ kind, isMuted: !isOn }, { onError: showFailure })}
    />
  );
}

const heights = [320, 520, 440];

const KindsSkeleton = () => (
  <Stack>
    {heights.map((height) => (
      <Skeleton key={height} height={height} />
    ))}
  </Stack>
);
