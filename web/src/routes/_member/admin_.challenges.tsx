import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Templates } from '../../features/challenge-templates/templates.tsx';

export const Route = createFileRoute('/_member/admin_/challenges')({
  component: () => (
    <AdminOnly>
      <Templates />
    </AdminOnly>
  ),
});
