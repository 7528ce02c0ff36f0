import { useLingui } from '@lingui/react/macro';
import styles from './company-setup.module.css';
import { Refusal } from './refusal.tsx';
import { colourPairs, isPair, type Draft } from './setup.ts';

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
