import { useLingui } from '@lingui/react/macro';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { HttpError } from '../../lib/http-error.ts';
import { type FormPhoto, goneOf } from '../../lib/photos.ts';
import { photoOf } from './api.ts';
import styles from './photos.module.css';

/**
 * The photo as a form shows it. Its address is good for a while only: a form that lay there for longer asks for another
 * one, and hears when the server has thrown the photo away meanwhile.
 */
export function PhotoPreview({ photo, onPhoto }: { photo: FormPhoto; onPhoto: (photo: FormPhoto) => void }) {
  const { t } = useLingui();
  const [unseen, setUnseen] = useState<string>();
  const { previewUrl, photoURL, alt, width, height } = photo;
  const askAgain = async () => {
    setUnseen(previewUrl);
    if (photoURL === undefined) return;
    try {
      const { previewUrl: another } = await photoOf({ photoURL });
      if (another !== '' && another !== previewUrl) onPhoto({ ...photo, previewUrl: another });
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) onPhoto(goneOf(photo));
    }
  };
  const name = alt ?? t`Your photo`;
  if (previewUrl === '' || unseen === previewUrl)
    return (
      <p className={styles.unseen}>
        <ImageOff size={22} aria-hidden="true" />
        {name}
      </p>
    );
  return (
    <img
      className={styles.preview}
      src={previewUrl}
      alt={name}
      {...(width !== undefined && height !== undefined && { width, height })}
      onError={() => void askAgain()}
    />
  );
}
