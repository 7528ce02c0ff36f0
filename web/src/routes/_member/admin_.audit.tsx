import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Audit } from '../../features/audit/audit.tsx';

export const Route = createFileRoute('/_member/admin_/audit')({
  component: () => (
    <AdminOnly>
      <Audit />
    </AdminOnly>
  ),
});
