import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

/** Tabs with arrow keys; the content of the chosen one only is drawn. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: ReactNode }[];
  children: ReactNode;
}) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={styles.tab}
            // Radix focuses by script on a press, which browsers take for the keyboard and ring.
            onMouseDown={({ currentTarget }) => currentTarget.focus({ focusVisible: false })}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content key={value} value={value} className={styles.content} tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
