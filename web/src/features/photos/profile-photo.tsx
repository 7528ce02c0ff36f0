import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Trash2, UserRoundPen } from 'lucide-react';
import { useRef } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { meQuery } from '../../lib/me.ts';
import { useSession } from '../../lib/session-state.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useProfilePhoto } from './api.ts';
import { OpenedPanel, usePhotoPanel } from './photo-choice.tsx';
import styles from './photos.module.css';

/** One's own face: another one by the upload panel, none by one press. It acts at once, without saving. */
export function ProfilePhoto() {
  const { t } = useLingui();
  const { user } = useSession();
  const changing = useRef<HTMLButtonElement>(null);
  const panel = usePhotoPanel();
  const { isFetching, prefetch, open } = panel;
  const { mutate, isPending } = useProfilePhoto();
  // The stored person's picture may be an address of yesterday.
  const { data: me } = useQuery(meQuery);
  const photoUrl = me ? me.profilePhotoUrl : user?.profilePhotoUrl;
  const show = (objectPath: string | null) =>
    mutate(objectPath, {
      onSuccess: () => {
        toast({ title: objectPath === null ? t`Profile photo removed` : t`Profile photo updated`, tone: 'good' });
        changing.current?.focus();
      },
      onError: (error) => {
        const description = serverMessage(error, t`Failed to update your profile photo. Please try again.`);
        toast({ title: t`Error`, description, tone: 'error' });
      },
    });
  return (
    <div role="group" aria-label={t`Profile photo`} className={styles.face}>
      <Avatar name={user?.name ?? ''} photoUrl={photoUrl} size="huge" />
      <div className={styles.acts}>
        <Button ref={changing} variant="quiet" aria-busy={isFetching} onPointerEnter={prefetch} onClick={() => open()}>
          <UserRoundPen size={20} aria-hidden="true" />
          {photoUrl ? t`Change profile photo` : t`Add a profile photo`}
        </Button>
        {photoUrl && (
          <Button variant="plain" isBusy={isPending} onClick={() => show(null)}>
            <Trash2 size={20} aria-hidden="true" />
            {t`Remove profile photo`}
          </Button>
        )}
      </div>
      <OpenedPanel of={panel} title={t`Profile photo`} purpose="face" onPhoto={({ objectPath }) => show(objectPath)} />
    </div>
  );
}
