import { createFileRoute, redirect } from '@tanstack/react-router';
import { Login } from '../features/account/login.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';
import { currentSession } from '../lib/session-state.ts';

export const Route = createFileRoute('/login')({
  beforeLoad: () => {
    if (currentSession().status === 'signed-in') throw redirect({ to: '/dashboard', replace: true });
  },
  component: () => (
    <PublicFrame>
      <Login />
    </PublicFrame>
  ),
});
