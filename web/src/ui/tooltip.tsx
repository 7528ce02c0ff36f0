import * as Radix from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';
import styles from './tooltip.module.css';

const delayMilliseconds = 700;
const skipMilliseconds = 300;

/** Around everything that has tooltips: 700 ms before the first, the next within 300 ms at once (9). */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={delayMilliseconds} skipDelayDuration={skipMilliseconds}>
    {children}
  </Radix.Provider>
);

/** A short name for an icon on hover and focus; the control still needs its own accessible name. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tip} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
