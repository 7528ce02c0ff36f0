import * as RadioGroup from '@radix-ui/react-radio-group';
import type { ReactNode } from 'react';
import styles from './segmented.module.css';

/** One choice of a few, all in sight: a radio group. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  /** `name` is read out in place of a label that is only a sign. */
  options: readonly { value: Value; label: ReactNode; name?: string }[];
}) {
  return (
    <RadioGroup.Root
      className={styles.group}
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {options.map((option) => (
        <RadioGroup.Item key={option.value} value={option.value} className={styles.option} aria-label={option.name}>
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
