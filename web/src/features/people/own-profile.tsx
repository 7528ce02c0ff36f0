import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import type { Me } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LayoutDashboard, ListTree, LogOut, PencilLine, Settings, Watch } from 'lucide-react';
import type { ReactNode } from 'react';
import { meQuery } from '../../lib/me.ts';
import { logOut } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userQuery } from './api.ts';
import { Follows } from './follows.tsx';
import styles from './people.module.css';
import { Facts, Figures, Since } from './profile-cards.tsx';
import { ProfileTabs } from './profile-tabs.tsx';
import { YearCard } from './year-card.tsx';

/** Oneself: who one is to the others, how far one came, and the ways from here (2.107). */
export function OwnProfile({ feed, badges, logs }: { feed: ReactNode; badges: ReactNode; logs: ReactNode }) {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  return (
    <Page title={t`Profile`}>
      <Loading isLoading={!me.isError && !me.data} skeleton={<Skeleton height={260} />}>
        {() =>
          me.data ? (
            <div className={styles.own}>
              <Stack>
                <Summary me={me.data} />
                <Ways role={me.data.role} />
              </Stack>
              <Stack>
                <Figures user={me.data} />
                <Button asChild variant="quiet" size="small">
                  <Link to="/miles">
                    <ListTree size={18} aria-hidden="true" />
                    {t`Why this total?`}
                  </Link>
                </Button>
                <YearCard />
                {logs}
                <ProfileTabs me={me.data} feed={feed} badges={badges} />
              </Stack>
            </div>
          ) : (
            <Card>
              <ErrorState
                title={t`Your profile could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void me.refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

function Summary({ me }: { me: Me }) {
  const { t } = useLingui();
  const { data: user } = useQuery(userQuery(me.id));
  return (
    <Card>
      <div className={styles.head}>
        <Avatar name={me.name} photoUrl={me.profilePhotoUrl} size="large" />
        <div className={styles.who}>
          <h2>
            <bdi>{me.name}</bdi>
          </h2>
          <p>{shownAddress(me.email)}</p>
        </div>
      </div>
      <p className={styles.team}>
        {me.team.emoji} {me.team.name}
      </p>
      {/* Comes after the rest, into room that is kept for it. */}
      <p className={styles.sinceRoom}>{user && <Since joinedOn={user.joinedDate} />}</p>
      <Facts user={me} />
      <div className={styles.follow}>
        <div className={styles.followsRoom}>{user && <Follows user={user} />}</div>
        <Button asChild variant="quiet" size="small">
          <Link to="/user/$id" params={{ id: me.id }} search={{ edit: 'true' }}>
            <PencilLine size={18} aria-hidden="true" />
            {t`Edit Profile`}
          </Link>
        </Button>
      </div>
    </Card>
  );
}

function Ways({ role }: { role: Me['role'] }) {
  const { t } = useLingui();
  return (
    <div className={styles.ways}>
      <Button asChild variant="quiet">
        <Link to="/settings">
          <Settings size={20} aria-hidden="true" />
          {t`Settings`}
        </Link>
      </Button>
      <Button asChild variant="quiet">
        <Link to="/account-settings">
          <Watch size={20} aria-hidden="true" />
          {t`Fitness Devices`}
        </Link>
      </Button>
      {role === 'admin' && (
        <Button asChild variant="quiet">
          <Link to="/admin">
            <LayoutDashboard size={20} aria-hidden="true" />
            {t`Admin Dashboard`}
          </Link>
        </Button>
      )}
      <Button variant="quiet" onClick={() => void logOut()}>
        <LogOut size={20} aria-hidden="true" />
        {t`Logout`}
      </Button>
    </div>
  );
}
