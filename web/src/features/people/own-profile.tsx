import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import type { Me } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LayoutDashboard, LogOut, PencilLine, Settings, Watch } from 'lucide-react';
import type { ReactNode } from 'react';
import { meQuery } from '../../lib/me.ts';
import { useIsWide } from '../../lib/media.ts';
import { logOut } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card, ScenePage } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userQuery } from './api.ts';
import { Follows } from './follows.tsx';
import { OwnLedger } from './own-ledger.tsx';
import styles from './own-profile.module.css';
import { LatestPhotos } from './photos.tsx';
import { Facts } from './profile-cards.tsx';
import { Banner, ProfileHead } from './profile-head.tsx';
import { ProfileTabs } from './profile-tabs.tsx';
import { YearCard } from './year-card.tsx';

/** Oneself: who one is to the others, how far one came, and the ways from here (2.107). */
export function OwnProfile({ shelf, badges, logs }: { shelf: ReactNode; badges: ReactNode; logs: ReactNode }) {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  const isWide = useIsWide();
  return (
    <ScenePage title={t`Profile`} scene={<Banner />}>
      <Loading isLoading={!me.isError && !me.data} skeleton={<Skeleton height={260} />}>
        {() =>
          me.data ? (
            <>
              <Head me={me.data} />
              <div className={styles.grid}>
                <div className={styles.ledger}>
                  <OwnLedger me={me.data} />
                </div>
                <div className={styles.year}>
                  <YearCard />
                </div>
                <div className={styles.side}>
                  {shelf}
                  {isWide && <LatestPhotos id={me.data.id} />}
                </div>
                <div className={styles.tabs}>
                  <ProfileTabs me={me.data} feed={logs} badges={badges} />
                </div>
              </div>
            </>
          ) : (
            <>
              <h1 tabIndex={-1}>{t`Profile`}</h1>
              <Card>
                <ErrorState
                  title={t`Your profile could not be loaded`}
                  hint={t`Please try again later.`}
                  onRetry={() => void me.refetch()}
                />
              </Card>
            </>
          )
        }
      </Loading>
    </ScenePage>
  );
}

function Head({ me }: { me: Me }) {
  const { data: user } = useQuery(userQuery(me.id));
  return (
    <ProfileHead
      person={{
        name: me.name,
        photoUrl: me.profilePhotoUrl,
        teamEmoji: me.team.emoji,
        teamName: me.team.name,
        joinedOn: user?.joinedDate ?? null,
      }}
      acts={<Acts me={me} />}
      about={<Facts user={me} email={shownAddress(me.email)} />}
      follows={user && <Follows user={user} />}
    />
  );
}

function Acts({ me: { id, role } }: { me: Me }) {
  const { t } = useLingui();
  return (
    <>
      <Button asChild variant="soft" size="small">
        <Link to="/user/$id" params={{ id }} search={{ edit: 'true' }}>
          <PencilLine size={18} aria-hidden="true" />
          {t`Edit Profile`}
        </Link>
      </Button>
      <Link to="/account-settings" className={styles.way} aria-label={t`Fitness Devices`} title={t`Fitness Devices`}>
        <Watch size={20} aria-hidden="true" />
      </Link>
      <Link to="/settings" className={styles.way} aria-label={t`Settings`} title={t`Settings`}>
        <Settings size={20} aria-hidden="true" />
      </Link>
      {role === 'admin' && (
        <Link to="/admin" className={styles.way} aria-label={t`Admin Dashboard`} title={t`Admin Dashboard`}>
          <LayoutDashboard size={20} aria-hidden="true" />
        </Link>
      )}
      <button
        type="button"
        className={styles.way}
        aria-label={t`Logout`}
        title={t`Logout`}
        onClick={() => void logOut()}
      >
        <LogOut size={20} aria-hidden="true" />
      </button>
    </>
  );
}
