import type { SessionUser } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Award, LayoutDashboard, LogOut, MapPinned, Settings, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { logOut } from '../../lib/session.ts';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';

/** Settings, profile, the admins' area and the way out (2.23); between them what has no place in the bar. */
export function ProfileMenu({
  role,
  isOpenAtFirst,
  children,
}: {
  role: SessionUser['role'];
  isOpenAtFirst: boolean;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <Menu side="top" trigger={children} isOpenAtFirst={isOpenAtFirst}>
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
      <MenuItem asChild>
        <Link to="/badges">
          <Award size={20} aria-hidden="true" />
          {t`Badges`}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/journey">
          <MapPinned size={20} aria-hidden="true" />
          {t`Journey`}
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
