import { createFileRoute } from '@tanstack/react-router';
import { Admin } from '../../features/admin/admin.tsx';
import { AdminOnly } from '../../features/admin/admin-only.tsx';

export const Route = createFileRoute('/_member/admin')({
  component: () => (
    <AdminOnly>
      <Admin />
    </AdminOnly>
  ),
});
