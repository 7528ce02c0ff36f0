import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { JourneySetup } from '../../features/journey-setup/journey-setup.tsx';
import { RoutePreview } from '../../features/journey/route-preview.tsx';

export const Route = createFileRoute('/_member/admin_/journey')({
  component: () => (
    <AdminOnly>
      <JourneySetup mapOf={(route) => <RoutePreview route={route} />} />
    </AdminOnly>
  ),
});
