import { characterCount } from '@caravan/contracts/domain/text/text';
import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { countedInput } from '../lib/counted-input.ts';
import { formatCount } from '../lib/format.ts';
import styles from './field.module.css';
import { Hidden } from './text.tsx';

type FieldProps = {
  label: ReactNode;
  /** What is wrong; read with the field and shown under it. */
  error?: ReactNode;
  hint?: ReactNode;
  /** Stands beside the label, for a link or a counter. */
  aside?: ReactNode;
};

type Described = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined };

/** Ties label, hint and error to whatever control `children` draws. */
export function Field({
  label,
  error,
  hint,
  aside,
  children,
}: FieldProps & { children: (described: Described) => ReactNode }) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className={styles.error}>
          <CircleAlert size={16} aria-hidden="true" />
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  error,
  hint,
  aside,
  end,
  ...input
}: FieldProps & { end?: ReactNode } & ComponentProps<'input'>) {
  return (
    <Field {...{ label, error, hint, aside }}>
      {(described) => (
        <div className={styles.box}>
          <input
            {...input}
            {...countedInput(input)}
            {...described}
            className={clsx(styles.input, end && styles.withEnd)}
          />
          {end && <div className={styles.end}>{end}</div>}
        </div>
      )}
    </Field>
  );
}

export function TextArea({ label, error, hint, aside, ...area }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, error, hint, aside }}>
      {(described) => (
        <textarea
          rows={3}
          {...area}
          {...countedInput(area)}
          {...described}
          className={clsx(styles.input, styles.area)}
        />
      )}
    </Field>
  );
}

/** The last so many are read aloud. */
const nearlyFullCharacters = 10;

/** A text that stops at a number of characters, as the server counts them: an emoji is one, not two. */
export function CountedArea({
  value,
  onText,
  limit,
  ...area
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & {
  label: ReactNode;
  error?: ReactNode;
  hint?: ReactNode;
  value: string;
  onText: (text: string) => void;
  limit: number;
}) {
  const { t } = useLingui();
  const characters = characterCount(value);
  const used = formatCount(characters);
  const all = formatCount(limit);
  const left = limit - characters;
  return (
    <TextArea
      {...area}
      value={value}
      maxLength={limit}
      onChange={(event) => onText(event.target.value)}
      aside={
        <span style={{ color: 'var(--ink-3)', font: 'var(--t-small)', fontVariantNumeric: 'tabular-nums' }}>
          <span aria-hidden="true">{t`${used}/${all}`}</span>
          <Hidden>
            <span aria-live="polite">{left <= nearlyFullCharacters ? t`${left} characters left` : ''}</span>
          </Hidden>
        </span>
      }
    />
  );
}
