import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Analytics } from '../../features/analytics/analytics.tsx';

export const Route = createFileRoute('/_member/admin_/analytics')({
  component: () => (
    <AdminOnly>
      <Analytics />
    </AdminOnly>
  ),
});
