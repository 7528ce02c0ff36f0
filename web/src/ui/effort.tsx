import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Segmented } from './segmented.tsx';
import styles from './effort.module.css';

/** From 1 to 5. */
const effortNames: readonly MessageDescriptor[] = [msg`Very easy`, msg`Easy`, msg`Moderate`, msg`Hard`, msg`All out`];

/** How hard a movement was, by its owner's feeling; nobody else is told. */
export function EffortField({
  value,
  onChange,
}: {
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}) {
  const { t, i18n } = useLingui();
  const named = effortNames.map((word, nth) => ({ value: String(nth + 1), label: nth + 1, name: i18n._(word) }));
  const chosen = named.find((option) => option.value === String(value));
  return (
    <div className={styles.field}>
      <p className={styles.head}>
        <b>{t`How hard was it?`}</b> <span>{chosen?.name}</span>
      </p>
      <Segmented
        label={t`How hard was it?`}
        value={chosen?.value ?? ''}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        options={[{ value: '', label: '–', name: t`Not said` }, ...named]}
      />
      <p className={styles.hint}>{t`Only you see this.`}</p>
    </div>
  );
}

/** Beside one's own log. */
export function EffortNote({ effort }: { effort: number }) {
  const { t, i18n } = useLingui();
  const word = effortNames[effort - 1];
  return word ? <p className={styles.hint}>{t`Effort: ${i18n._(word)}`}</p> : null;
}
