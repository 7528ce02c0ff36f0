import { defaultBranding } from '@caravan/contracts/branding';
import { useLingui } from '@lingui/react/macro';
import { brandProperties } from '../../lib/brand-colour.ts';
import { Button } from '../../ui/button.tsx';
import { Wordmark } from '../../ui/mark.tsx';
import { Trail } from '../../ui/trail.tsx';
import styles from './company-setup.module.css';

/** The product by day and by night in the chosen colour, made readable as everywhere. */
export function LookPreview({
  name,
  logoUrl,
  colour = defaultBranding.primaryColor,
}: {
  name: string;
  logoUrl: string | null;
  colour: string | undefined;
}) {
  const { t } = useLingui();
  const properties = brandProperties(colour);
  const [reached, goal] = ['3.2', '5.0'];
  return (
    <figure className={styles.previews}>
      <figcaption>
        <b>{t`So it will look`}</b>
        {t`By day and by night; the color gives way where it could not be read.`}
      </figcaption>
      {(['light', 'dark'] as const).map((mode) => (
        <div key={mode} inert className={styles.preview} data-mode={mode} style={{ ...properties, colorScheme: mode }}>
          <div className={styles.previewHead}>
            {logoUrl ? <img src={logoUrl} alt="" /> : <Wordmark />}
            <span className={styles.previewName}>{name}</span>
          </div>
          <div className={styles.previewBody}>
            <b>{t`${reached} of ${goal} miles`}</b>
            <Trail label={t`Weekly goal`} share={0.64} valueText="" stops={4} />
            <Button size="small">{t`Start the timer`}</Button>
          </div>
        </div>
      ))}
    </figure>
  );
}
