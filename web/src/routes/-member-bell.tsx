import { MembersOnly } from '../features/email/guests.tsx';
import { Bell } from '../features/notifications/bell.tsx';

/** Guests are told of nothing yet. */
export const MemberBell = () => (
  <MembersOnly instead={null}>
    <Bell />
  </MembersOnly>
);
