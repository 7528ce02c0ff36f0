import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Invites } from '../../features/invites/invites.tsx';

export const Route = createFileRoute('/_member/admin_/invites')({
  component: () => (
    <AdminOnly>
      <Invites />
    </AdminOnly>
  ),
});
