import * as Radix from '@radix-ui/react-popover';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import styles from './popover.module.css';
import { Tooltip } from './tooltip.tsx';

/** A panel beside its button, which `label` names on hover; Escape and a press outside close it and give the focus back. */
export function Popover({
  trigger,
  label,
  isOpenAtFirst = false,
  content: Content,
}: {
  trigger: ReactNode;
  label: string;
  isOpenAtFirst?: boolean;
  /** Leaves when it leads elsewhere: then the focus is the next screen's. */
  content: ComponentType<{ onLeave: () => void }>;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isLeaving = useRef(false);
  const leave = () => {
    isLeaving.current = true;
    setOpen(false);
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Tooltip text={label}>
        <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      </Tooltip>
      <Radix.Portal>
        <Radix.Content
          className={styles.panel}
          aria-label={label}
          align="end"
          sideOffset={10}
          collisionPadding={12}
          onCloseAutoFocus={(event) => {
            if (isLeaving.current) event.preventDefault();
            isLeaving.current = false;
          }}
        >
          <Content onLeave={leave} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
