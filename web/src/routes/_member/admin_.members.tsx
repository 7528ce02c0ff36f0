import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../features/admin/admin-only.tsx';
import { Members } from '../../features/members/members.tsx';
import { searchOf, type MembersSearch } from '../../features/members/search.ts';

export const Route = createFileRoute('/_member/admin_/members')({
  validateSearch: (search: Record<string, unknown>): MembersSearch => searchOf(search),
  component: MembersRoute,
});

function MembersRoute() {
  const navigate = Route.useNavigate();
  // What the address holds beside it comes along with what was validated.
  const search = searchOf(Route.useSearch());
  return (
    <AdminOnly>
      <Members search={search} onSearch={(next) => void navigate({ search: next, replace: true })} />
    </AdminOnly>
  );
}
