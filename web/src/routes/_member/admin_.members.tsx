import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Members } from '../../features/members/members.tsx';
import { searchOf, type MembersSearch } from '../../features/members/search.ts';

export const Route = createFileRoute('/_member/admin_/members')({
  // Read in the component, so that the first file needs nothing of this screen.
  validateSearch: (search: MembersSearch) => search,
  component: MembersRoute,
});

function MembersRoute() {
  const navigate = Route.useNavigate();
  const search = searchOf(Route.useSearch());
  return (
    <AdminOnly>
      <Members search={search} onSearch={(next) => void navigate({ search: next, replace: true })} />
    </AdminOnly>
  );
}
