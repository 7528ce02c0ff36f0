import { defaultBranding } from '@caravan/contracts/domain/branding';
import { useLingui } from '@lingui/react/macro';
import { brandProperties } from '../../lib/brand-colour.ts';
import { Button } from '../../ui/button.tsx';
import { Wordmark } from '../../ui/narrow-card.tsx';
import { Trail } from '../../ui/trail.tsx';
import styles from './company-setup.module.css';
import { Refusal } from './logo-field.tsx';
import { colourPairs, type Draft, isPair } from './setup.ts';

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
  const reached = '3.2';
  const goal = '5.0';
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
            <bdi className={styles.previewName}>{name}</bdi>
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

export function ColourPairs({
  chosen,
  error,
  onChange,
}: {
  chosen: Draft['brandColors'];
  error: string | undefined;
  onChange: (colours: readonly [string, string]) => void;
}) {
  const { t, i18n } = useLingui();
  return (
    <fieldset
      className={styles.pairs}
      aria-describedby={error && 'colours-refused'}
      data-refused={error ? true : undefined}
    >
      <legend>{t`Brand colors`}</legend>
      <p className={styles.hint}>{t`Each choice is a pair: one press selects both of its colors.`}</p>
      {colourPairs.map(({ name, colours }) => (
        <label key={colours[0]} className={styles.pair}>
          <input type="radio" name="brandColors" checked={isPair(chosen, colours)} onChange={() => onChange(colours)} />
          <span className={styles.swatches} aria-hidden="true">
            {colours.map((colour) => (
              <span key={colour} style={{ background: colour }} />
            ))}
          </span>
          {i18n._(name)}
        </label>
      ))}
      <Refusal id="colours-refused">{error}</Refusal>
    </fieldset>
  );
}
