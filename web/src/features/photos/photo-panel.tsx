import { useLingui } from '@lingui/react/macro';
import { WifiOff } from 'lucide-react';
import { useRef } from 'react';
import { useIsOnline } from '../../lib/online.ts';
import type { FormPhoto } from '../../lib/photos.ts';
import { useSession } from '../../lib/session-state.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import './photo-panel.css';
import styles from './photos.module.css';
import { useUploader } from './use-uploader.ts';

/** Where a photo is dropped, chosen or taken, described and sent (2.112). Closed, it leaves nothing of what was not sent. */
export function PhotoPanel({
  title,
  purpose,
  file,
  onPhoto,
  onClose,
}: {
  title: string;
  purpose: string;
  /** Taken already. */
  file: File | undefined;
  onPhoto: (photo: FormPhoto) => void;
  onClose: () => void;
}) {
  return (
    <Dialog isOpen isLarge title={title} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Panel purpose={purpose} file={file} onPhoto={onPhoto} onDone={onClose} />
    </Dialog>
  );
}

/** Apart: it begins when the dialog has put it on the page. */
function Panel({
  purpose,
  file,
  onPhoto,
  onDone,
}: {
  purpose: string;
  file: File | undefined;
  onPhoto: (photo: FormPhoto) => void;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const isOnline = useIsOnline();
  const owner = useSession().user?.id ?? '';
  const onRefused = () =>
    toast({
      title: t`Upload Error`,
      description: t`Failed to process uploaded photo. Please try again.`,
      tone: 'error',
    });
  // What a reload interrupted belongs to one person and one form.
  const status = useUploader(place, { id: `photo:${purpose}:${owner}`, file, onPhoto, onRefused, onDone });
  return (
    <>
      {!isOnline && <Offline />}
      <div ref={place} className="photo-panel" />
      <div role="status">
        <Hidden>{status}</Hidden>
      </div>
    </>
  );
}

/** As long as it lasts: Uppy's own notice of it is gone in the same moment. */
function Offline() {
  const { t } = useLingui();
  return (
    <p role="alert" className={styles.offline}>
      <WifiOff size={20} aria-hidden="true" />
      <b>{t`No Internet connection`}</b>
      <span>{t`An upload waits until it is back.`}</span>
    </p>
  );
}
