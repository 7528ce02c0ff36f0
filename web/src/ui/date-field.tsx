import { instantOf } from '@caravan/contracts/local-days';
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';
import styles from './field.module.css';

type DateFieldProps = {
  label: ReactNode;
  error?: ReactNode;
  hint?: ReactNode;
  min?: string | undefined;
  max?: string | undefined;
  /** Empty: none. */
  value: string;
  /** Gets a date that exists, or nothing; the form is not submitted while what is typed is neither. */
  onValue: (value: string) => void;
};

/** A calendar date, YYYY-MM-DD. */
export const DateField = (props: DateFieldProps) => (
  <Typed type="date" isReal={(text) => instantOf(`${text}T00:00`, 'UTC') !== null} last="9999-12-31" {...props} />
);

/** A date and a time of day, YYYY-MM-DDThh:mm; in which zone, `useDates` knows. */
export const MomentField = (props: DateFieldProps) => (
  <Typed type="datetime-local" isReal={(text) => instantOf(text, 'UTC') !== null} last="9999-12-31T23:59" {...props} />
);

function Typed({
  type,
  isReal,
  last,
  label,
  error,
  hint,
  min,
  max,
  value,
  onValue,
}: DateFieldProps & { type: 'date' | 'datetime-local'; isReal: (text: string) => boolean; last: string }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  // Browsers take years of five digits and half a date; such text stays here.
  const [unusable, setUnusable] = useState<string>();
  const refusal = unusable === undefined ? undefined : t`Enter a date that exists, with a year of four digits.`;
  useEffect(() => input.current?.setCustomValidity(refusal ?? ''), [refusal]);
  const change = ({ value: text, validity }: HTMLInputElement) => {
    const isUsable = text === '' ? !validity.badInput : isReal(text);
    setUnusable(isUsable ? undefined : text);
    onValue(isUsable ? text : '');
  };
  return (
    <Field label={label} error={refusal ?? error} hint={hint}>
      {(described) => (
        <input
          {...described}
          ref={input}
          type={type}
          min={min}
          max={max ?? last}
          className={styles.input}
          data-empty={value === '' && unusable === undefined ? '' : undefined}
          value={unusable ?? value}
          onChange={({ target }) => change(target)}
        />
      )}
    </Field>
  );
}
