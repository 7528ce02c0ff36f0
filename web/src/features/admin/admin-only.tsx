import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../lib/session-state.ts';

/** Around every screen of admins; members are led home (D3, D44). The server asks for the role again. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { user } = useSession();
  return user?.role === 'admin' ? children : <Navigate to="/" replace />;
}
