import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import styles from './select.module.css';

export type Option<Value extends string> = { value: Value; label: string; isDisabled?: boolean };

/** One of several, by the system's own list: the fastest on phones, with type-ahead on keyboards. */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  ...rest
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <span className={styles.box}>
      <select
        {...rest}
        className={styles.select}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className={styles.chevron} size={18} aria-hidden="true" />
    </span>
  );
}

export function SelectField<Value extends string>({
  label,
  error,
  hint,
  ...select
}: ComponentProps<typeof Select<Value>> & { label: ReactNode; error?: ReactNode; hint?: ReactNode }) {
  return <Field {...{ label, error, hint }}>{(described) => <Select<Value> {...select} {...described} />}</Field>;
}
