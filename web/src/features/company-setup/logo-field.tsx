import { useLingui } from '@lingui/react/macro';
import { CircleAlert, ImagePlus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { imageDataUrl, imageTypes, isVector } from '../../lib/image-files.ts';
import { Button } from '../../ui/button.tsx';
import styles from './company-setup.module.css';

/** An image file of pixels, read as a data URL; large ones are made smaller here (5.19). Vector graphics are refused. */
export function LogoField({
  logoUrl,
  error,
  onChange,
}: {
  logoUrl: string | null;
  error: string | undefined;
  onChange: (logoUrl: string | null) => void;
}) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState<string>();
  const [isReading, setReading] = useState(false);
  const read = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    setUnreadable(undefined);
    if (isVector(file)) setUnreadable(t`SVG logos are not taken: save the logo as PNG, JPEG, WebP or GIF.`);
    else await keep(file);
    setReading(false);
    // The same file can be chosen again.
    if (input.current) input.current.value = '';
  };
  const keep = async (file: File) => {
    try {
      onChange(await imageDataUrl(file));
    } catch {
      setUnreadable(t`This file is not an image that can be shown here.`);
    }
  };
  const refusal = unreadable ?? error;
  return (
    <div className={styles.logo}>
      <div className={styles.logoRoom}>
        {logoUrl ? <img src={logoUrl} alt={t`Your logo`} /> : <ImagePlus size={26} aria-hidden="true" />}
      </div>
      <div className={styles.logoActions}>
        <input
          ref={input}
          type="file"
          accept={imageTypes.join()}
          hidden
          aria-label={t`Logo`}
          onChange={({ target }) => void read(target.files?.[0])}
        />
        <Button variant="quiet" size="small" isBusy={isReading} onClick={() => input.current?.click()}>
          {logoUrl ? t`Change logo` : t`Choose a logo`}
        </Button>
        {logoUrl && (
          <Button variant="plain" size="small" onClick={() => onChange(null)}>
            <Trash2 size={18} aria-hidden="true" />
            {t`Remove`}
          </Button>
        )}
      </div>
      <Refusal id="logo-refused">{refusal}</Refusal>
    </div>
  );
}

/** Why a group of choices cannot be sent; `id` ties it to the group. */
export const Refusal = ({ id, children }: { id: string; children: string | undefined }) =>
  children === undefined ? null : (
    <p id={id} className={styles.refusal}>
      <CircleAlert size={16} aria-hidden="true" />
      {children}
    </p>
  );
