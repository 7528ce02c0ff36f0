import type { SessionUser } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { LayoutDashboard, LogOut, Settings, UserRound } from 'lucide-react';
import { logOut } from '../../lib/session.ts';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import type { ReactNode } from 'react';
import styles from './bottom-bar.module.css';
import { destinations, isAt } from './navigation.ts';

/** The navigation of phones, in reach of the thumb. */
export function BottomBar({ role }: { role: SessionUser['role'] }) {
  const { t, i18n } = useLingui();
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={t`Main`} className={styles.bar}>
      {destinations.map(({ to, short, icon: Icon }) => {
        const current = isAt(path, to) ? ('page' as const) : undefined;
        const content = (
          <>
            <Icon size={23} aria-hidden="true" />
            {i18n._(short)}
          </>
        );
        return to === '/profile' ? (
          <ProfileMenu key={to} role={role}>
            <button type="button" className={styles.item} aria-current={current}>
              {content}
            </button>
          </ProfileMenu>
        ) : (
          <Link key={to} to={to} className={styles.item} aria-current={current}>
            {content}
          </Link>
        );
      })}
    </nav>
  );
}

function ProfileMenu({ role, children }: { role: SessionUser['role']; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <Menu side="top" trigger={children}>
      <MenuItem asChild>
        <Link to="/settings">
          <Settings size={20} aria-hidden="true" />
          {t`Settings`}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/profile">
          <UserRound size={20} aria-hidden="true" />
          {t`My Profile`}
        </Link>
      </MenuItem>
      {role === 'admin' && (
        <MenuItem asChild>
          <Link to="/admin">
            <LayoutDashboard size={20} aria-hidden="true" />
            {t`Admin Dashboard`}
          </Link>
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={20} aria-hidden="true" />} onSelect={() => void logOut()}>
        {t`Logout`}
      </MenuItem>
    </Menu>
  );
}
