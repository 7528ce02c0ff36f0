import { useLingui } from '@lingui/react/macro';
import { Camera, ImageOff, ImagePlus, ImageUp, Trash2 } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { type FormPhoto, type PhotoChoiceProps, usable } from '../../lib/photos.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { photoTypes } from './limits.ts';
import { PhotoPreview } from './photo-preview.tsx';
import styles from './photos.module.css';

const fetchPanel = () => import('./photo-panel.tsx');
const PhotoPanel = lazyPart(async () => (await fetchPanel()).PhotoPanel);

/** Opens the upload panel, whose code is fetched only then. */
export function usePhotoPanel() {
  const { t } = useLingui();
  const [opened, setOpened] = useState<{ file: File | undefined }>();
  const [isFetching, setIsFetching] = useState(false);
  const open = async (file?: File) => {
    // Not disabled meanwhile: the focus would be lost, to which it returns afterwards.
    setIsFetching(true);
    try {
      await fetchPanel();
      setOpened({ file });
    } catch {
      const description = t`Check your connection and try again.`;
      toast({ title: t`The upload panel could not be opened`, description, tone: 'error' });
    } finally {
      setIsFetching(false);
    }
  };
  return {
    isFetching,
    prefetch: () => void fetchPanel().catch(() => undefined),
    open: (file?: File) => void open(file),
    opened,
    close: () => setOpened(undefined),
  };
}

/** The panel where it was opened. */
export function OpenedPanel({
  of: { opened, close },
  ...rest
}: {
  of: ReturnType<typeof usePhotoPanel>;
  title: string;
  purpose: string;
  onPhoto: (photo: FormPhoto) => void;
}) {
  if (!opened) return null;
  return (
    <Suspense>
      <PhotoPanel {...rest} file={opened.file} onClose={close} />
    </Suspense>
  );
}

/** In a form: add a photo, or take one with a single press on a phone; see it, change it, take it away (2.70, 5.8). */
export function PhotoChoice({ purpose, photo: chosen, onPhoto }: PhotoChoiceProps) {
  const { t } = useLingui();
  const photo = usable(chosen);
  const adding = useRef<HTMLButtonElement>(null);
  const panel = usePhotoPanel();
  const { isFetching, prefetch, open } = panel;
  const take = (taken: FormPhoto) => {
    onPhoto(taken);
    toast({
      title: t`Photo Uploaded!`,
      description: t`Your workout photo has been uploaded successfully.`,
      tone: 'good',
    });
  };
  return (
    <div role="group" aria-label={t`Photo`} className={styles.choice}>
      {chosen && !photo && <Gone />}
      {photo && <PhotoPreview photo={photo} onPhoto={onPhoto} />}
      <div className={styles.acts}>
        <Button ref={adding} variant="quiet" aria-busy={isFetching} onPointerEnter={prefetch} onClick={() => open()}>
          {photo ? <ImageUp size={20} aria-hidden="true" /> : <ImagePlus size={20} aria-hidden="true" />}
          {photo ? t`Change photo` : t`Add a photo`}
        </Button>
        {photo ? (
          <Button
            variant="plain"
            onClick={() => {
              onPhoto(null);
              adding.current?.focus();
            }}
          >
            <Trash2 size={20} aria-hidden="true" />
            {t`Remove photo`}
          </Button>
        ) : (
          <TakePhoto onTaken={open} />
        )}
      </div>
      <OpenedPanel of={panel} title={photo ? t`Change photo` : t`Add a photo`} purpose={purpose} onPhoto={take} />
    </div>
  );
}

/** Nothing but the photo is lost, and nobody has to send it without one unknowingly. */
function Gone() {
  const { t } = useLingui();
  return (
    <p role="alert" className={styles.gone}>
      <ImageOff size={20} aria-hidden="true" />
      <b>{t`Your photo is gone`}</b>
      <span>{t`It waited for more than a day. Add it again, or go on without it.`}</span>
    </p>
  );
}

/** One press opens a phone's camera; elsewhere the panel has one. */
function TakePhoto({ onTaken }: { onTaken: (file: File) => void }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className={styles.phone}>
      <Button variant="quiet" onClick={() => input.current?.click()}>
        <Camera size={20} aria-hidden="true" />
        {t`Take a photo`}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`Take a photo`}
        accept={photoTypes.join(',')}
        capture="environment"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) onTaken(file);
        }}
      />
    </span>
  );
}
