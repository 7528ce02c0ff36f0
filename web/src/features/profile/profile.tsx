import type { Me } from '@caravan/contracts/http/accounts';
import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LayoutDashboard, LogOut, Settings } from 'lucide-react';
import { formatMiles } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import { logOut } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import styles from './profile.module.css';

/** Oneself: name, team, miles, streak, and the ways from here. */
export function Profile() {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  return (
    <Page title={t`Profile`} width="text">
      <Loading isLoading={!me.isError && !me.data} skeleton={<Skeleton height={260} />}>
        {() =>
          me.data ? (
            <Stack>
              <Summary me={me.data} />
              <Ways role={me.data.role} />
            </Stack>
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
  return (
    <Card>
      <div className={styles.head}>
        <Avatar name={me.name} photoUrl={me.profilePhotoUrl} size="huge" />
        <div className={styles.who}>
          <h2>{me.name}</h2>
          <p>{me.email}</p>
          <p>
            {me.team.emoji} {me.team.name}
          </p>
        </div>
      </div>
      {me.bio && <p className={styles.bio}>{me.bio}</p>}
      <dl className={styles.figures}>
        <div>
          <dt>{t`Total miles`}</dt>
          <dd>{formatMiles(me.totalMiles)}</dd>
        </div>
        <div>
          <dt>{t`Streak`}</dt>
          <dd>
            <Plural value={me.streakCount} one="# day" other="# days" />
          </dd>
        </div>
      </dl>
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
