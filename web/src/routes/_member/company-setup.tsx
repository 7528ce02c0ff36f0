import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { CompanySetup } from '../../features/company-setup/company-setup.tsx';

export const Route = createFileRoute('/_member/company-setup')({
  component: () => (
    <AdminOnly>
      <CompanySetup />
    </AdminOnly>
  ),
});
