import { firstDate, instantOf, lastDate } from '@caravan/contracts/domain/time/local-days';
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
  <CheckedDateInput type="date" momentOf={(text) => `${text}T00:00`} first={firstDate} last={lastDate} {...props} />
);

/** A date and a time of day, YYYY-MM-DDThh:mm; in which zone, `useDates` knows. */
export const MomentField = (props: DateFieldProps) => (
  <CheckedDateInput
    type="datetime-local"
    momentOf={(text) => text}
    first={`${firstDate}T00:00`}
    last={`${lastDate}T23:59`}
    {...props}
  />
);

type DateRange = {
  readonly first: string;
  readonly last: string;
  /** The field's text as YYYY-MM-DDThh:mm. */
  readonly momentOf: (text: string) => string;
};

/** A year that is being typed passes through 0002, 0020 and 0202. */
const isBeingTyped = (text: string): boolean => /^0\d{3}-/.test(text);

function CheckedDateInput({
  type,
  momentOf,
  first,
  last,
  label,
  error,
  hint,
  min,
  max,
  value,
  onValue,
}: DateFieldProps & DateRange & { type: 'date' | 'datetime-local' }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  // Browsers take years of five digits and half a date; such text stays here.
  const [unusable, setUnusable] = useState<string>();
  const [isLeft, setIsLeft] = useState(false);
  const refusal = unusable === undefined ? undefined : t`Enter a date that exists, from 1900 to 2199.`;
  const isShown = isLeft || !isBeingTyped(unusable ?? '');
  useEffect(() => input.current?.setCustomValidity(refusal ?? ''), [refusal]);
  const change = ({ value: text, validity }: HTMLInputElement) => {
    const isInRange = first <= text && text <= last && instantOf(momentOf(text), 'UTC') !== null;
    const isUsable = text === '' ? !validity.badInput : isInRange;
    setIsLeft(false);
    setUnusable(isUsable ? undefined : text);
    onValue(isUsable ? text : '');
  };
  return (
    <Field label={label} error={(isShown ? refusal : undefined) ?? error} hint={hint}>
      {(described) => (
        <input
          {...described}
          ref={input}
          type={type}
          min={min ?? first}
          max={max ?? last}
          className={styles.input}
          data-empty={value === '' && unusable === undefined ? '' : undefined}
          value={unusable ?? value}
          onChange={({ target }) => change(target)}
          onBlur={() => setIsLeft(true)}
        />
      )}
    </Field>
  );
}
