import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './popover.module.css';
import { Tooltip } from './tooltip.tsx';

/** A small panel beside its button, which `label` names on hover; Escape and a press outside close it. */
export function Popover({
  trigger,
  label,
  isOpenAtFirst = false,
  children,
}: {
  trigger: ReactNode;
  label: string;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Root defaultOpen={isOpenAtFirst}>
      <Tooltip text={label}>
        <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      </Tooltip>
      <Radix.Portal>
        <Radix.Content className={styles.panel} aria-label={label} align="end" sideOffset={10} collisionPadding={12}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
