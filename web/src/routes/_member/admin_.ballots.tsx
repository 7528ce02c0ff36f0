import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Ballots } from '../../features/ballots/ballots.tsx';

export const Route = createFileRoute('/_member/admin_/ballots')({
  component: () => (
    <AdminOnly>
      <Ballots />
    </AdminOnly>
  ),
});
