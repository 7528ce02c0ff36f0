import clsx from 'clsx';
import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';
import styles from './menu.module.css';

/** A button that opens a list of destinations and acts; arrow keys, type-ahead, Escape. */
export function Menu({
  trigger,
  side = 'bottom',
  isOpenAtFirst = false,
  children,
}: {
  trigger: ReactNode;
  side?: 'top' | 'bottom';
  isOpenAtFirst?: boolean;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* In the page's main landmark: what lies outside all of them is easily missed by screen readers. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content className={styles.menu} side={side} align="end" sideOffset={10} collisionPadding={12}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A link or an act in a menu: give it a link as its child, or `onSelect`. */
export function MenuItem({
  icon,
  isDangerous,
  onSelect,
  asChild,
  children,
}: {
  icon?: ReactNode;
  isDangerous?: boolean;
  onSelect?: () => void;
  asChild?: boolean;
  children: ReactNode;
}) {
  const className = clsx(styles.item, isDangerous && styles.dangerous);
  return (
    <DropdownMenu.Item className={className} asChild={asChild ?? false} {...(onSelect && { onSelect })}>
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </DropdownMenu.Item>
  );
}

export const MenuSeparator = () => <DropdownMenu.Separator className={styles.separator} />;
