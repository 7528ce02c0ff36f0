import type { UserProfile as Profile } from '@caravan/contracts/http/people';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { HttpError } from '../../lib/http-error.ts';
import { Back } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page, ScenePage, Stack } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { userQuery } from './api.ts';
import { EditProfile } from './edit-profile.tsx';
import { FollowButton, Follows } from './follows.tsx';
import styles from './people.module.css';
import { PhotosOf } from './photos.tsx';
import { Badges, Facts, Figures } from './profile-cards.tsx';
import { Banner, ProfileHead } from './profile-head.tsx';

const notFound = 404;

/** A colleague's profile, or one's own, which can be edited here (2.102). */
export function UserProfile({ id, opensInEdit = false }: { id: string; opensInEdit?: boolean }) {
  const { t } = useLingui();
  const { data: user, error, refetch } = useQuery(userQuery(id));
  const isGone = error instanceof HttpError && error.status === notFound;
  if (user && !isGone) return <Shown user={user} opensInEdit={opensInEdit} />;
  const title = isGone ? t`Profile not found` : t`Profile`;
  return (
    <Page title={title} width="text" before={<Back />}>
      <Loading isLoading={!error} skeleton={<Skeleton height={320} />}>
        {() => <Card>{isGone ? <NotFound /> : <Failed onRetry={() => void refetch()} />}</Card>}
      </Loading>
    </Page>
  );
}

function Shown({ user, opensInEdit }: { user: Profile; opensInEdit: boolean }) {
  const { t } = useLingui();
  const [isEditing, setEditing] = useState(opensInEdit && user.isSelf);
  if (isEditing)
    return (
      <Page title={t`Edit Profile`} width="text" before={<Back />}>
        <EditProfile user={user} onDone={() => setEditing(false)} />
      </Page>
    );
  return (
    <ScenePage title={user.name} scene={<Banner before={<Back />} />}>
      <ProfileHead
        person={{
          name: user.name,
          photoUrl: user.profilePhotoUrl,
          teamEmoji: user.teamEmoji,
          teamName: user.teamName,
          joinedOn: user.joinedDate,
        }}
        acts={
          user.isSelf ? (
            <Button variant="soft" size="small" onClick={() => setEditing(true)}>
              <PencilLine size={18} aria-hidden="true" />
              {t`Edit Profile`}
            </Button>
          ) : (
            <FollowButton user={user} />
          )
        }
        about={<Facts user={user} />}
        follows={<Follows user={user} />}
      />
      <div className={styles.columns}>
        <Stack>
          <Figures user={user} />
          <Badges names={user.badges} owner={user.isSelf ? null : user.name} isHidden={user.totalMiles === null} />
        </Stack>
        {/* Last: whether there are any is known after the rest, which they would push down. */}
        <PhotosOf id={user.id} />
      </div>
    </ScenePage>
  );
}

function NotFound() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nobody to meet here.`}
      hint={t`They may have left, or they keep their profile to themselves.`}
      action={
        <Button asChild>
          <Link to="/leaderboard">{t`To the scoreboard`}</Link>
        </Button>
      }
    />
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui();
  return <ErrorState title={t`This profile could not be loaded`} hint={t`Please try again later.`} onRetry={onRetry} />;
}
