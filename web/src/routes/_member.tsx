import { createFileRoute, redirect } from '@tanstack/react-router';
import { MemberArea } from '../features/shell/member-area.tsx';
import { currentSession } from '../lib/session-state.ts';

/** Around every screen that needs a session. */
export const Route = createFileRoute('/_member')({
  beforeLoad: () => {
    if (currentSession().status === 'signed-out') throw redirect({ to: '/login', replace: true });
  },
  component: MemberArea,
});
