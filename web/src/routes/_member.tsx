import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { BadgeNotices } from '../features/badges/notices.tsx';
import { EmailReminder, LetIn, MembersOnly } from '../features/email/guests.tsx';
import { MemberArea } from '../features/shell/member-area.tsx';
import { TimerChip } from '../features/timer/timer-chip.tsx';
import { MemberBell } from './-member-bell.tsx';
import { MomentAfterLog } from './-moment.tsx';
import { currentSession } from '../lib/session-state.ts';

const alongside = (
  <>
    <LetIn />
    <MembersOnly instead={null}>
      <BadgeNotices />
      <TimerChip />
      <MomentAfterLog />
    </MembersOnly>
  </>
);

/** Around every screen that needs a session. */
export const Route = createFileRoute('/_member')({
  beforeLoad: ({ location }) => {
    // The link that was opened is where one goes on after signing in.
    if (currentSession().status === 'signed-out')
      throw redirect({ to: '/login', replace: true, state: { goOnAt: location.href } });
  },
  component: () => (
    <MemberArea bell={<MemberBell />} alongside={alongside}>
      <EmailReminder />
      <MembersOnly>
        <Outlet />
      </MembersOnly>
    </MemberArea>
  ),
});
