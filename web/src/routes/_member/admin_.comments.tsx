import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { ReportedComments } from '../../features/comments/reported.tsx';

export const Route = createFileRoute('/_member/admin_/comments')({
  component: () => (
    <AdminOnly>
      <ReportedComments />
    </AdminOnly>
  ),
});
