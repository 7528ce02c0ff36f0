import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { FormPhoto } from '../../lib/photos.ts';
import { useSession } from '../../lib/session-state.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import './photo-panel.css';
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
      <div ref={place} className="photo-panel" />
      <div role="status">
        <Hidden>{status}</Hidden>
      </div>
    </>
  );
}
