import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Teams } from '../../features/teams/teams.tsx';

export const Route = createFileRoute('/_member/admin_/teams')({
  component: () => (
    <AdminOnly>
      <Teams />
    </AdminOnly>
  ),
});
